import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join, relative } from 'node:path'
import { BUNDLE_FILE } from './bundle-sources.ts'

const FRAME = new RegExp(String.raw`[^\s(]*${BUNDLE_FILE.replace('.', String.raw`\.`)}:(\d+):(\d+)`, 'g')

/**
 * Replaces the places in the bundle of a compiled tree by those in the sources, relative to the project.
 * @param text the output of a test, with stacks
 * @param tree the folder of the compiled tree
 */
export function withFramesOfSources(text: string, tree: string): string {
  if (!FRAME.test(text)) return text
  const path = join(tree, `${BUNDLE_FILE}.map`)
  if (!existsSync(path)) return text
  const map = new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload)
  return text.replace(FRAME, (frame: string, line: string, column: string) => {
    const origin = map.findOrigin(Number(line), Number(column))
    return 'fileName' in origin
      ? `${relative(tree, join(tree, 'bundle', origin.fileName))}:${origin.lineNumber}:${origin.columnNumber}`
      : frame
  })
}
