import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { BUNDLE_FILE } from './bundle-sources.ts'

const FRAME = new RegExp(String.raw`[^\s(]*${BUNDLE_FILE.replace('.', String.raw`\.`)}:(\d+):(\d+)`, 'g')

/**
 * Replaces the places in the bundle of a compiled tree by those in the sources.
 * @param text the output of a test, with stacks
 * @param tree the folder of the compiled tree
 * @param root the folder of the project. Default: the current one
 */
export function withFramesOfSources(text: string, tree: string, root: string = process.cwd()): string {
  const path = join(tree, `${BUNDLE_FILE}.map`)
  if (text.search(FRAME) === -1 || !existsSync(path)) return text
  const map = new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload)
  return text.replace(FRAME, (frame: string, line: string, column: string) => {
    const origin = map.findOrigin(Number(line), Number(column))
    return 'fileName' in origin
      ? `${relative(root, resolve(dirname(path), origin.fileName))}:${origin.lineNumber}:${origin.columnNumber}`
      : frame
  })
}
