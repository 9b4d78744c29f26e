import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'

/** Scripts of a page: its own, which has the name of the last segment of its address, and what that one imports. */
const PAGE_SCRIPT = /^(.+)-page$/

/**
 * Links to the scripts of each page. The server keeps those of the page that is asked for, so that the browser loads them beside the
 * first script and not after it.
 */
const linkPageScripts: Plugin = {
  name: 'link-page-scripts',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const pagesOf = new Map<string, string[]>()
      for (const output of Object.values(bundle)) {
        const page = output.type === 'chunk' ? PAGE_SCRIPT.exec(output.name)?.[1] : undefined
        if (output.type !== 'chunk' || page === undefined) continue
        for (const file of [output.fileName, ...output.imports])
          if (!html.includes(file)) pagesOf.set(file, [...pagesOf.get(file) ?? [], page])
      }
      return [...pagesOf].sort().map(([file, pages]): HtmlTagDescriptor => ({
        tag: 'link', injectTo: 'head',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}`, 'data-pages': pages.sort().join(' ') }
      }))
    }
  }
}

/** React syntax, shipped as Preact: without the four aliases the same source runs on React. */
export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: one build serves any prefix.
  base: './',
  plugins: [linkPageScripts],
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
      // @tanstack/react-query marks its files for React's server components, which there are none of here.
      checks: { moduleLevelDirective: false },
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
