import { Code } from '../../src/components/elements/code.tsx'
import { CopyButton } from '../../src/components/elements/copy-button.tsx'
import { Dialog } from '../../src/components/elements/dialog.tsx'
import { Differences } from '../../src/components/elements/differences.tsx'
import { FormDialog } from '../../src/components/elements/form-dialog.tsx'
import { Icon } from '../../src/components/elements/icon.tsx'
import { JsonView } from '../../src/components/elements/json-view.tsx'
import { LongText } from '../../src/components/elements/long-text.tsx'
import { Countdown, Due, Moment } from '../../src/components/elements/moment.tsx'
import { PageLink } from '../../src/components/elements/page-link.tsx'
import { Fact, Part } from '../../src/components/elements/part.tsx'
import { StatusMark } from '../../src/components/elements/status-mark.tsx'
import { Switch } from '../../src/components/elements/switch.tsx'
import { Unknown } from '../../src/components/elements/unknown.tsx'
import { ago, HOSTILE, LONG } from '../samples/frame.ts'
import { nothing, type Stories } from './story.ts'

const names = { field: 'Field', before: 'Before', after: 'After', notThere: 'not there' }
const form = { title: 'Pause this queue?', confirmLabel: 'Pause it', onConfirm: nothing, onClose: nothing }

export const elementStories: Stories = {
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
  }],
  Times: [
    {
      state: 'ready', show: () => <p className="filter">
        {(['moment', 'relative', 'clock', 'exact', 'both'] as const).map(as =>
          <span key={as} className="filter-item"><Moment at={ago(95_000)} as={as} /></span>)}
        <span className="filter-item"><Countdown at={ago(-95)} /></span><span className="filter-item"><Due at={ago(-95)} /></span>
      </p>
    },
    { state: 'error', words: 'due and not begun', show: () => <p><Countdown at={ago(95)} /> <Due at={ago(95)} /></p> }
  ],
  'Code to copy': [
    { state: 'ready', show: () => <Code label="The call" text="curl -X POST 'https://example.com/tasks/api/schedules/cron'" /> },
    { state: 'huge', show: () => <Code label="The call" text={LONG} /> },
    { state: 'hostile', show: () => <><Code label="The call" text={HOSTILE} /><CopyButton text={HOSTILE} label="Copy" /></> }
  ],
  Differences: [
    {
      state: 'ready', show: () => <Differences label="Changes" names={names} changes={[
        { path: 'cron', before: '"0 7 * * *"', after: '"0 6 * * *"' }, { path: 'args[0]', before: undefined, after: '"daily"' }
      ]} />
    },
    {
      state: 'hostile',
      show: () => <Differences label="Changes" names={names} changes={[{ path: HOSTILE, before: HOSTILE, after: LONG }]} />
    }
  ],
  Dialog: [
    { state: 'ready', show: () => <Dialog title="Keyboard" onClose={nothing}><p>What it holds</p></Dialog> },
    { state: 'hostile', show: () => <Dialog title={HOSTILE + LONG} onClose={nothing}><p className="wrap">{LONG}</p></Dialog> }
  ],
  'Dialog with a question': [
    { state: 'ready', show: () => <FormDialog {...form} isReady><p>Executions that run go on.</p></FormDialog> },
    {
      state: 'forbidden', words: 'something is missing',
      show: () => <FormDialog {...form} isReady={false}><p>Type the name.</p></FormDialog>
    },
    {
      state: 'error', words: 'it cannot be undone',
      show: () => <FormDialog {...form} isReady isDangerous><p>Its counters are lost.</p></FormDialog>
    }
  ],
  Facts: [
    {
      state: 'ready',
      show: () => <Part title="Details" note="as registered"><dl className="facts"><Fact name="Queue">q.billing</Fact></dl></Part>
    },
    { state: 'hostile', show: () => <Part title={HOSTILE}><dl className="facts"><Fact name={HOSTILE}>{LONG}</Fact></dl></Part> }
  ],
  Links: [
    {
      state: 'ready',
      show: () => <p><PageLink href="/executions">All executions</PageLink> <PageLink href="/tasks" isWay>All tasks</PageLink></p>
    }
  ],
  Switch: [
    {
      state: 'ready',
      show: () => <>
        <Switch isOn isBusy={false} label="On" onChange={nothing} />
        <Switch isOn={false} isBusy={false} label="Off" onChange={nothing} />
      </>
    },
    { state: 'loading', words: 'it is being changed', show: () => <Switch isOn isBusy label="Busy" onChange={nothing} /> }
  ],
  Icons: [{ state: 'ready', show: () => <p className="filter">{(['search', 'trash',
    'external'] as const).map(name => <Icon key={name} name={name} />)}</p> }]
}
