import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { listFiles, PROJECT } from '../support/source-files.ts'

const CONFIGURATIONS = listFiles('.', /(?:^|\/)tsconfig[^/]*\.json$/)

for (const path of CONFIGURATIONS) {
  t.test(`the compiler accepts the options of ${path}`, async t => {
    const problems: ts.Diagnostic[] = []
    const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem: ts.Diagnostic) => { problems.push(problem) } }
    const { options } = ts.getParsedCommandLineOfConfigFile(join(PROJECT, path), {}, host)!
    // Options that do not fit together are found only when files are compiled.
    problems.push(...ts.createProgram({ rootNames: [], options }).getOptionsDiagnostics())
    t.same(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')), [])
  })
}
