import { fileURLToPath } from 'node:url'
import { ESLint } from 'eslint'
import ts from 'typescript'

/**
 * The type check of tests, scripts, examples and interface, and the lint of everything, in one process. Rules that need types use the
 * checked programs. Separate commands would read and check them again.
 */
process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const programs = ['test/tsconfig.json', 'ui/tsconfig.json'].map(createProgram)
const problems = programs.flatMap(program => ts.getPreEmitDiagnostics(program))
const eslint = new ESLint({
  overrideConfig: [{ files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions: { project: null, programs } } }]
})
const results = await eslint.lintFiles(['.'])
const isClean = problems.length === 0 && results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0)
process.stdout.write(ts.formatDiagnostics(problems, {
  getCanonicalFileName: name => name, getCurrentDirectory: () => process.cwd(), getNewLine: () => '\n'
}))
process.stdout.write(await (await eslint.loadFormatter('stylish')).format(results))
process.exitCode = isClean ? 0 : 1

function createProgram(path: string): ts.Program {
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(path, { noEmit: true }, {
    ...ts.sys, onUnRecoverableConfigFileDiagnostic: refuse
  })!
  errors.forEach(refuse)
  return ts.createProgram(fileNames, options)
}

function refuse({ messageText }: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
}
