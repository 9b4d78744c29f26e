import { ErrorBoundary } from '../../src/components/frame/error-boundary.tsx'
import { FirstRun } from '../../src/components/frame/first-run.tsx'
import { Header } from '../../src/components/frame/header.tsx'
import { HealthLine } from '../../src/components/frame/health-line.tsx'
import { HelpDialog } from '../../src/components/frame/help-dialog.tsx'
import { Section } from '../../src/components/frame/section.tsx'
import { SidePanel } from '../../src/components/frame/side-panel.tsx'
import { SignInAgain } from '../../src/components/frame/sign-in-again.tsx'
import { Empty, Failed, SkeletonRows, SkeletonText, Stale } from '../../src/components/frame/states.tsx'
import { brokenHealth, failure, health, session } from '../samples/answers.ts'
import { HOSTILE, LONG, UNBROKEN } from '../samples/texts.ts'
import { nothing, type Stories } from '../story.ts'

const actions = { onPause: nothing, onPalette: nothing, onHelp: nothing }
const header = { session, failure: null, answeredAt: 0, isBlind: false, pausedSince: null, path: '/', ...actions }

export const frameStories: Stories = {
  'frame/error-boundary': [
    { state: 'ready', show: () => <ErrorBoundary what="This page"><p>The page</p></ErrorBoundary> },
    { state: 'error', show: () => <ErrorBoundary what="This page"><Throws message="A part that throws" /></ErrorBoundary> },
    { state: 'huge', show: () => <ErrorBoundary what="This page"><Throws message={`A part that throws ${UNBROKEN}`} /></ErrorBoundary> },
    { state: 'hostile', show: () => <ErrorBoundary what="This page"><Throws message={`A part that throws ${HOSTILE}`} /></ErrorBoundary> }
  ],
  'frame/first-run': [
    { state: 'loading', words: 'nothing is known yet', show: () => firstRun([null, null, null]) },
    { state: 'empty', words: 'nothing is done yet', show: () => firstRun([false, false, false]) },
    { state: 'partial', show: () => firstRun([true, false, false]) },
    { state: 'ready', words: 'all is done', show: () => firstRun([true, true, true]) },
    { state: 'hostile', show: () => <FirstRun steps={[{ title: 'Register a task', isDone: false, code: HOSTILE }]} /> }
  ],
  'frame/header': [
    { state: 'loading', words: 'the session is not known yet', show: () => <Header {...header} session={undefined} /> },
    { state: 'ready', show: () => <Header {...header} session={{ ...session, back_link: { href: '/admin', text: 'Admin' } }} /> },
    { state: 'error', show: () => <Header {...header} failure={failure({ status: 0 })} /> },
    { state: 'partial', words: 'the broker is out of reach', show: () => <Header {...header} isBlind /> },
    { state: 'stale', words: 'paused', show: () => <Header {...header} pausedSince={Date.now() - 80_000} /> },
    { state: 'forbidden', words: 'no page but the first', show: () => <Header {...header} session={{ ...session, actions: [] }} /> },
    { state: 'signed out', show: () => <Header {...header} failure={failure({ status: 401 })} /> },
    { state: 'huge', show: () => <Header {...header} session={{ ...session, title: LONG, environment: LONG, user: LONG }} /> },
    { state: 'hostile', show: () => <Header {...header} session={{ ...session, title: HOSTILE, environment: HOSTILE, user: HOSTILE }} /> }
  ],
  'frame/health-line': [
    { state: 'loading', show: () => <HealthLine health={undefined} failure={null} updatedAt={0} /> },
    { state: 'ready', show: () => <HealthLine health={health} failure={null} updatedAt={Date.now()} /> },
    { state: 'error', show: () => <HealthLine health={brokenHealth} failure={null} updatedAt={Date.now()} /> },
    { state: 'unknown', words: 'it never answered', show: () => <HealthLine health={undefined} failure={failure()} updatedAt={0} /> },
    { state: 'stale', show: () => <HealthLine health={health} failure={failure()} updatedAt={Date.now() - 90_000} /> },
    { state: 'hostile', show: () => <HealthLine health={brokenHealth} failure={failure({ message: HOSTILE })} updatedAt={Date.now()} /> }
  ],
  'frame/help-dialog': [{ state: 'ready', show: () => <HelpDialog onClose={nothing} /> }],
  'frame/section': [
    { state: 'ready', show: () => <Section title="Failures" aside={<a href="#all">All</a>}><p>What is in it.</p></Section> },
    { state: 'error', show: () => <Section title="Failures"><Throws message="A part that throws" /></Section> },
    { state: 'huge', show: () => <Section title={LONG} aside={<a href="#all">All</a>}><p className="wrap">{UNBROKEN}</p></Section> },
    { state: 'hostile', show: () => <Section title={HOSTILE}><p>{HOSTILE}</p></Section> }
  ],
  'frame/side-panel': [
    { state: 'ready', show: () => panel('reports:daily') },
    { state: 'huge', show: () => panel(UNBROKEN) },
    { state: 'hostile', show: () => panel(HOSTILE) }
  ],
  'frame/sign-in-again': [
    { state: 'signed out', show: () => <SignInAgain /> },
    { state: 'signed out', words: 'small', show: () => <SignInAgain isSmall /> }
  ],
  'frame/states': [
    { state: 'loading', show: () => <><SkeletonRows count={3} label="Loading" /><p><SkeletonText /></p></> },
    { state: 'empty', show: () => <Empty title="No task is registered"><p>Register one in a process of the queue app.</p></Empty> },
    { state: 'error', show: () => <Failed what="Tasks" failure={failure({ requestId: 'r-1' })} onRetry={nothing} /> },
    { state: 'error', words: 'it does not exist', show: () => <Failed what="This task" failure={failure({ status: 404,
      code: 'TASK_NOT_FOUND' })} isOne /> },
    {
      state: 'error', words: 'the store refuses',
      show: () => <Failed what="Tasks" failure={failure({ code: 'STORE_REFUSED' })} onRetry={nothing} />
    },
    {
      state: 'partial', words: 'one line, on a page that says elsewhere what is wrong',
      show: () => <Failed what="Tasks" failure={failure()} isBrief />
    },
    { state: 'stale', show: () => <Stale failure={failure()} updatedAt={Date.now() - 90_000} /> },
    { state: 'forbidden', show: () => <Failed what="Tasks" failure={failure({ status: 403, code: 'FORBIDDEN' })} onRetry={nothing} /> },
    { state: 'signed out', show: () => <Failed what="Tasks" failure={failure({ status: 401, message: 'You are signed out' })} /> },
    { state: 'signed out', words: 'one line', show: () => <Failed what="Tasks" failure={failure({ status: 401 })} isBrief /> },
    { state: 'huge', show: () => <Failed what="Tasks" failure={failure({ message: UNBROKEN, requestId: UNBROKEN })} onRetry={nothing} /> },
    { state: 'hostile', show: () => <Failed what="This execution" failure={failure({ status: 404, message: HOSTILE,
      code: 'NOT_FOUND' })} /> }
  ]
}

function Throws({ message }: { message: string }): never {
  throw new Error(message)
}

function firstRun(done: ReadonlyArray<boolean | null>) {
  const titles = ['Register a task', 'Start a worker', 'Enqueue an execution']
  return <FirstRun steps={titles.map((title, index) => ({ title, isDone: done[index]!, code: index === 1 ? null : 'queueApp.task()' }))} />
}

function panel(title: string) {
  const edit = <button type="button" className="button button-small">Edit…</button>
  return <SidePanel label={title} title={title} actions={edit} onClose={nothing}>
    <p className="wrap">{title}</p>
  </SidePanel>
}
