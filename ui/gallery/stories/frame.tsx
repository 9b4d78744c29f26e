import { ErrorBoundary } from '../../src/components/frame/error-boundary.tsx'
import { FirstRun } from '../../src/components/frame/first-run.tsx'
import { Header } from '../../src/components/frame/header.tsx'
import { HealthLine } from '../../src/components/frame/health-line.tsx'
import { HelpDialog } from '../../src/components/frame/help-dialog.tsx'
import { Section } from '../../src/components/frame/section.tsx'
import { SidePanel } from '../../src/components/frame/side-panel.tsx'
import { SignInAgain } from '../../src/components/frame/sign-in-again.tsx'
import { Empty, Failed, SkeletonRows, SkeletonText, Stale } from '../../src/components/frame/states.tsx'
import { brokenHealth, failure, health, HOSTILE, LONG, session } from '../samples/frame.ts'
import { nothing, type Stories } from './story.ts'

const actions = { onPause: nothing, onPalette: nothing, onHelp: nothing }
const header = { session, failure: null, answeredAt: 0, isBlind: false, pausedSince: null, path: '/', ...actions }
const steps = [
  { title: 'Register a task', isDone: true, code: null },
  { title: 'Start a worker', isDone: false, code: 'await queueApp.run()' },
  { title: 'See its first run', isDone: null, code: null }
]

export const frameStories: Stories = {
  Header: [
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
  Health: [
    { state: 'loading', show: () => <HealthLine health={undefined} failure={null} updatedAt={0} /> },
    { state: 'ready', show: () => <HealthLine health={health} failure={null} updatedAt={Date.now()} /> },
    { state: 'error', show: () => <HealthLine health={brokenHealth} failure={null} updatedAt={Date.now()} /> },
    { state: 'stale', show: () => <HealthLine health={health} failure={failure()} updatedAt={Date.now() - 90_000} /> }
  ],
  'A list': [
    { state: 'loading', show: () => <SkeletonRows count={3} label="Loading" /> },
    { state: 'empty', show: () => <Empty title="No task is registered"><p>Register one in a process of the queue app.</p></Empty> },
    { state: 'error', show: () => <Failed what="Tasks" failure={failure()} onRetry={nothing} /> },
    {
      state: 'partial', words: 'one line, on a page that says elsewhere what is wrong',
      show: () => <Failed what="Tasks" failure={failure()} isBrief />
    },
    { state: 'stale', show: () => <Stale failure={failure()} updatedAt={Date.now() - 90_000} /> },
    { state: 'forbidden', show: () => <Failed what="Tasks" failure={failure({ status: 403, code: 'FORBIDDEN' })} onRetry={nothing} /> },
    { state: 'signed out', show: () => <Failed what="Tasks" failure={failure({ status: 401, message: 'You are signed out' })} /> },
    {
      state: 'hostile', show: () => <Failed what="This execution" failure={failure({ status: 404, message: HOSTILE, code: 'NOT_FOUND' })} />
    }
  ],
  'First run': [
    { state: 'ready', show: () => <FirstRun steps={steps} /> },
    { state: 'loading', words: 'nothing is known yet', show: () => <FirstRun steps={steps.map(step => ({ ...step, isDone: null }))} /> }
  ],
  Help: [{ state: 'ready', show: () => <HelpDialog onClose={nothing} /> }],
  Section: [
    {
      state: 'ready', show: () => <Section title="Queues" aside={<span className="muted">from 03:12</span>}><p>What it holds</p></Section>
    },
    { state: 'loading', show: () => <Section title="Queues"><SkeletonText /></Section> },
    { state: 'hostile', show: () => <Section title={HOSTILE}><p className="wrap">{LONG}</p></Section> }
  ],
  'Side panel': [
    {
      state: 'ready', show: () => <SidePanel
        label="Execution" title="billing:charge" onClose={nothing}
        actions={<button type="button" className="button button-small">Retry…</button>}
      ><p>What it holds</p></SidePanel>
    },
    {
      state: 'hostile',
      show: () => <SidePanel label="Execution" title={HOSTILE + LONG} onClose={nothing}><p className="wrap">{LONG}</p></SidePanel>
    }
  ],
  'Signed out': [
    { state: 'signed out', show: () => <SignInAgain /> },
    { state: 'partial', words: 'in a line', show: () => <SignInAgain isSmall /> }
  ],
  'A part that failed': [{ state: 'error', show: () => <ErrorBoundary what="This part"><Failing /></ErrorBoundary> }]
}

function Failing(): never {
  throw new Error(HOSTILE)
}
