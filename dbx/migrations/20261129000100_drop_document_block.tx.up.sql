DROP TABLE document_block;
