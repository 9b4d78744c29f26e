import t from 'tap'
import { bundledImports } from '../../scripts/bundle-sources.ts'
import { compiledImports } from '../../scripts/compiled-tree.ts'

t.test('imports and URLs of source files lead to compiled files; packages, data and other text stay unchanged', t => {
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

t.test('in a tree with a bundle, bundled packages are found in it, and others in node_modules', t => {
  const cases: Array<[path: string, code: string, bundled: string]> = [
    ['test/engine/a.ts', 'import { Queue } from "bullmq";', 'import { Queue } from "../../bundle/bullmq.js";'],
    ['a.ts', 'import pg from "pg";', 'import pg from "./bundle/pg.js";'],
    ['lib/a.ts', 'await import("@sinclair/typebox/value")', 'await import("../bundle/_sinclair_typebox_value.js")'],
    ['lib/a.ts', 'import t from "tap";', 'import t from "tap";'],
    ['lib/a.ts', 'import { a } from "./pg.js";', 'import { a } from "./pg.js";']
  ]
  for (const [path, code, bundled] of cases) t.equal(bundledImports(code, path), bundled)
  t.end()
})
