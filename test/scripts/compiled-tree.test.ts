import t from 'tap'
import { compiledImports } from '../../scripts/compiled-tree.ts'

t.test('imports and URLs of files lead to compiled files; packages, data and other text stay', t => {
  const cases: Array<[string, string]> = [
    ['import { a } from "./a.ts";', 'import { a } from "./a.js";'],
    ['export * from "../b/c-d.ts";', 'export * from "../b/c-d.js";'],
    ['import "./side-effect.ts";', 'import "./side-effect.js";'],
    ['await import("./late.ts")', 'await import("./late.js")'],
    ['new URL("cpu-task.ts", import.meta.url)', 'new URL("cpu-task.js", import.meta.url)'],
    ['import t from "tap";', 'import t from "tap";'],
    ['new URL("./corpus.json", import.meta.url)', 'new URL("./corpus.json", import.meta.url)'],
    ['read("lib/index.ts")', 'read("lib/index.ts")']
  ]
  for (const [code, compiled] of cases) t.equal(compiledImports(code), compiled)
  t.end()
})
