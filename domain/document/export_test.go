package document

func init() { blockSize, blockFan = 8, 3 }
