import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { run } from './run.ts'

/**
 * `npm run bench worker 50000 5` runs bench/worker.ts compiled, like the published package. A loader that compiles TypeScript on the fly
 * names every closure each time it is created, which costs microseconds per execution.
 */
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const [name = '', ...parameters] = process.argv.slice(2)
if (!existsSync(`bench/${name}.ts`)) throw new Error(`There is no bench/${name}.ts; for example: npm run bench worker`)

await rm('.bench', { recursive: true, force: true })
process.exitCode = await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'bench/tsconfig.build.json'])
process.exitCode ||= await run(process.execPath, ['--expose-gc', `.bench/bench/${name}.js`, ...parameters])
