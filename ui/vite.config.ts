import { defineConfig } from 'vite'

/** React syntax, shipped as Preact: without the four aliases the same source runs on React. */
export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: one build serves any prefix.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: {
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      react: 'preact/compat'
    }
  },
  build: {
    target: 'es2022',
    // The first browsers with light-dark(); an older target would turn every token into two.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: '../ui-dist',
    emptyOutDir: true,
    // A data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      experimental: { chunkOptimization: { mergeCommonChunks: false } },
      output: {
        // Few requests: one script that every page starts with, one that later parts share, and one a part. main.tsx stays apart: nothing
        // may import it, because the page can load it at an address with credentials, which imports lack, and it would run twice then.
        codeSplitting: {
          groups: [
            { name: 'initial', tags: ['$initial'], test: id => !/\/(?:index\.html|main\.tsx)(?:\?|$)/.test(id), priority: 2 },
            { name: 'shared', minShareCount: 2, priority: 1 }
          ]
        }
      }
    }
  }
})
