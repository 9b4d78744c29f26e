import type { ReactNode } from 'react'
import { AttemptsAndTimeline } from './execution-story.tsx'
import { reasonStories } from './reason-story.tsx'
import { FailureGroups } from '../src/components/failures/failure-groups.tsx'
import { Header } from '../src/components/frame/header.tsx'
import { HealthLine } from '../src/components/frame/health-line.tsx'
import { JsonView } from '../src/components/elements/json-view.tsx'
import { LongText } from '../src/components/elements/long-text.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../src/components/frame/states.tsx'
import { StatsFigures } from '../src/components/stats/stats-figures.tsx'
import { StatusMark } from '../src/components/elements/status-mark.tsx'
import { Unknown } from '../src/components/elements/unknown.tsx'
import { VerdictLine } from '../src/components/stats/verdict-line.tsx'
import type { Period } from '../src/format/stats/period.ts'
import { brokenHealth, failure, group, health, HOSTILE, hugeStats, LONG, noStats, session, stats } from './samples.ts'

type State = 'loading' | 'ready' | 'empty' | 'error' | 'partial' | 'stale' | 'forbidden' | 'signed out' | 'huge' | 'hostile'

export interface Story {
  readonly state: State
  /** What is special about it. */
  readonly words?: string
  readonly show: () => ReactNode
}

const nothing = (): void => {}
const actions = { onPause: nothing, onPalette: nothing, onHelp: nothing }
const header = { session, failure: null, answeredAt: 0, isBlind: false, pausedSince: null, path: '/', ...actions }
const verdict = { clauses: [], detail: null }
const period: Period = {
  now: { success: 1_158, failed: 46, ms: 3_600_000, isWhole: true }, before: { success: 1_020, failed: 10, ms: 3_600_000, isWhole: true },
  finished: [12, 20, 18, null, 24, 30], rates: [0, 1, null, 2, 8, 4]
}
const noPeriod: Period = { now: null, before: null, finished: [], rates: [] }
const figures = { period, periodMissing: null, than: 'the 1 h before', executionsHref: () => '/executions' }

export const STORIES: Readonly<Record<string, readonly Story[]>> = {
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
  Verdict: [
    { state: 'loading', show: () => <VerdictLine verdict={{ ...verdict, tone: 'unknown', headline: 'Not known yet' }} /> },
    { state: 'ready', show: () => <VerdictLine verdict={{ ...verdict, tone: 'good', headline: 'All well · 1,204 executions' }} /> },
    {
      state: 'error',
      show: () => <VerdictLine verdict={{ ...verdict, tone: 'bad', headline: 'Broker out of reach since 03:12', detail: 'Old figures.' }} />
    },
    { state: 'partial', show: () => <VerdictLine verdict={{ ...verdict, tone: 'warn', headline: '312 schedules are overdue' }} /> },
    { state: 'hostile', show: () => <VerdictLine verdict={{ ...verdict, tone: 'bad', headline: HOSTILE, detail: LONG }} /> }
  ],
  Figures: [
    { state: 'loading', show: () => <StatsFigures {...figures} stats={null} period={null} isStale={false} /> },
    { state: 'ready', show: () => <StatsFigures {...figures} stats={stats} isStale={false} /> },
    { state: 'empty', show: () => <StatsFigures {...figures} stats={noStats} period={noPeriod} isStale={false} /> },
    { state: 'stale', show: () => <StatsFigures {...figures} stats={stats} isStale /> },
    { state: 'error', show: () => <StatsFigures {...figures} stats={stats} period={null} periodMissing="No answer" isStale={false} /> },
    { state: 'huge', show: () => <StatsFigures {...figures} stats={hugeStats} isStale={false} /> }
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
  'Failure groups': [
    { state: 'ready', show: () => groups([group, { ...group, error_group: 'g2', is_new: true, message: 'no route to host' }]) },
    { state: 'huge', show: () => groups([{ ...group, type: LONG, message: LONG, count: 1e15, frame: LONG }]) },
    { state: 'hostile', show: () => groups([{ ...group, type: HOSTILE, message: HOSTILE, tasks: [{ name: HOSTILE, count: 1 }] }]) }
  ],
  'An execution': [
    { state: 'ready', words: 'failed for good', show: () => <AttemptsAndTimeline isHostile={false} /> },
    { state: 'hostile', show: () => <AttemptsAndTimeline isHostile /> }
  ],
  'Reason for an action': reasonStories,
  Values: [
    { state: 'ready', show: () => <JsonView label="Arguments" value={[{ order: 42, lines: [{ sku: 'a-1', count: 2 }], note: null }]} /> },
    { state: 'empty', show: () => <><JsonView label="Arguments" value={[]} /><Unknown reason="It was not recorded" /></> },
    {
      state: 'huge', show: () => <>
        <JsonView label="Arguments" value={Array.from({ length: 10_000 }, (_, index) => ({ index, text: 'x'.repeat(600) }))} />
        <LongText label="Stack" text={'at step (/app/orders.js:1:1)\n'.repeat(2_000)} />
      </>
    },
    { state: 'hostile', show: () => <JsonView label="Arguments" value={{ __proto__x: HOSTILE, [HOSTILE]: LONG }} /> }
  ],
  Marks: [{
    state: 'ready', show: () => <p className="filter">
      {(['success', 'failed', 'running', 'pending', 'warning', 'off', 'unknown'] as const).map(mark =>
        <span key={mark} className="filter-item"><StatusMark mark={mark} word={mark} /></span>)}
      <button type="button" className="button">Button</button>
      <button type="button" className="button button-primary">Primary</button>
      <button type="button" className="button button-danger">Delete</button>
      <button type="button" className="button" disabled>Disabled</button>
    </p>
  }]
}

function groups(items: ReadonlyArray<typeof group>): ReactNode {
  return <FailureGroups groups={items} isRising={each => each.error_group === 'g1'} href={each => `/failures?group=${each.error_group}`} />
}
