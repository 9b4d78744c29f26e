import t from 'tap'
import ts from 'typescript'
import { toProblem } from '../../lib/dashboard/http/problem.ts'
import { ERROR_CODES, apiStatusOf, describeError, isTaskDashboardError } from '../../lib/errors.ts'
import { parseCron } from '../../lib/scheduler/timing/cron.ts'
import { importsOf, readText } from '../support/source-files.ts'

t.test('every error has its section in docs/errors.md, and every section its error', async t => {
  t.same(headingsOf('docs/errors.md', 3).toSorted(), [...ERROR_CODES].toSorted())
})

t.test('docs/errors.md has the message and statuses of every error', async t => {
  const document = readText('docs/errors.md')
  for (const code of ERROR_CODES) {
    const { message, statusCode, apiStatus } = describeError(code)
    const section = sectionOf(document, `### ${code}`)
    t.ok(section.includes(message.replaceAll('%s', '…')), `${code}: message`)
    t.match(section, new RegExp(`\\b${statusCode}\\b`), `${code}: status`)
    t.match(section, new RegExp(`\\b${apiStatus}\\b`), `${code}: status over the API`)
  }
})

t.test('the response shown in docs/errors.md is the one that the API returns', async t => {
  const shown = JSON.parse(/```json\n([^]*?)```/.exec(readText('docs/errors.md'))![1]!) as { instance: string, detail: string }
  const expression = /"(.*)"/.exec(shown.detail)![1]!
  try {
    parseCron(expression, 'UTC')
    t.fail(`${expression} is refused`)
  } catch (error) {
    if (!isTaskDashboardError(error)) throw error
    const { code, message: detail, errors } = error
    t.same(shown, toProblem({ status: apiStatusOf(code), code, detail, instance: shown.instance, errors }))
  }
})

const optionTypes = [
  { title: 'dashboardPlugin', file: 'lib/dashboard/options.ts', name: 'DashboardOptions' },
  { title: 'QueueApp.fromUrls', file: 'lib/queue-app/options.ts', name: 'QueueAppOptions' },
  { title: 'queueApp.task', file: 'lib/queue-app/tasks/task.ts', name: 'TaskOptions' },
  { title: 'queueApp.enqueue', file: 'lib/queue-app/enqueueing/enqueue-request.ts', name: 'EnqueueOptions' },
  { title: 'queueApp.result', file: 'lib/queue-app/enqueueing/result.ts', name: 'ResultOptions' },
  { title: 'scheduler.scheduleCron', file: 'lib/scheduler/scheduler.ts', name: 'CodeScheduleOptions' }
]

for (const { title, file, name } of optionTypes) {
  t.test(`every option of ${title} is documented, and every documented option exists`, async t => {
    // Further tables below it may describe what an option takes.
    const [table = ''] = sectionOf(readText('docs/configuration.md'), `## \`${title}\``).split('\n### ')
    const documented = [...table.matchAll(/^\| ((?:`[A-Za-z]+` )+)\|/gm)].flatMap(match => match[1]!.match(/[A-Za-z]+/g)!)
    const options = membersOf(file, name)
    t.ok(options.length > 0, `${name} has options`)
    t.same(documented.toSorted(), options.toSorted())
  })
}

function headingsOf(path: string, level: number): string[] {
  return [...readText(path).matchAll(new RegExp(`^${'#'.repeat(level)} \`?([^\`\\n]+)\`?$`, 'gm'))].map(match => match[1]!)
}

function sectionOf(document: string, heading: string): string {
  const level = heading.indexOf(' ')
  const start = document.indexOf(`${heading}\n`)
  if (start < 0) return ''
  const rest = document.slice(start + heading.length)
  const end = rest.search(new RegExp(`^#{1,${level}} `, 'm'))
  return end < 0 ? rest : rest.slice(0, end)
}

/** Includes inherited members, of an interface in the same file or an imported one. */
function membersOf(file: string, name: string): string[] {
  const source = ts.createSourceFile(file, readText(file), ts.ScriptTarget.ES2023, true)
  const members: string[] = []
  ts.forEachChild(source, node => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === name) {
      for (const member of node.members) if (ts.isPropertySignature(member)) members.push(member.name.getText(source))
      for (const { expression } of node.heritageClauses?.flatMap(clause => clause.types) ?? []) {
        const base = expression.getText(source)
        members.push(...membersOf(declaringFile(file, base), base))
      }
    }
  })
  return members
}

function declaringFile(file: string, name: string): string {
  return [
    file, ...importsOf(file).filter(({ isPackage }) => !isPackage).map(({ to }) => to)
  ].find(path => readText(path).includes(`interface ${name} `))!
}
