import { defineConfig } from 'vite';

// Monaco's editor and its workers are large, and needed at once.
export default defineConfig({
  base: '/playground/',
  build: { chunkSizeWarningLimit: 8000 },
  worker: { format: 'es' },
});
