import { defineConfig, mergeConfig } from 'vite'
import shipped from '../vite.config.ts'

/** `npm run gallery`: every component in each of its states, for whoever works on them. It is no part of what ships. */
export default mergeConfig(shipped, defineConfig({
  root: import.meta.dirname,
  server: { host: '127.0.0.1', fs: { allow: ['../..'] } },
  build: { outDir: '../../.gallery' }
}))
