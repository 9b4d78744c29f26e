import { useEffect } from 'react'
import { Code } from '../../src/components/elements/code.tsx'
import { CopyButton } from '../../src/components/elements/copy-button.tsx'
import { Dialog } from '../../src/components/elements/dialog.tsx'
import { Differences } from '../../src/components/elements/differences.tsx'
import { FormDialog } from '../../src/components/elements/form-dialog.tsx'
import { Icon, type IconName } from '../../src/components/elements/icon.tsx'
import { JsonView } from '../../src/components/elements/json-view.tsx'
import { Later } from '../../src/components/elements/later.tsx'
import { LongText } from '../../src/components/elements/long-text.tsx'
import { Countdown, Due, Moment } from '../../src/components/elements/moment.tsx'
import { Notices } from '../../src/components/elements/notices.tsx'
import { MayOpen, PageLink } from '../../src/components/elements/page-link.tsx'
import { Fact, Part } from '../../src/components/elements/part.tsx'
import { StatusMark } from '../../src/components/elements/status-mark.tsx'
import { Switch } from '../../src/components/elements/switch.tsx'
import { Unknown } from '../../src/components/elements/unknown.tsx'
import { notify } from '../../src/hooks/use-notices.ts'
import { ago, ahead, HOSTILE, LONG, UNBROKEN } from '../samples/texts.ts'
import { nothing, type Stories } from '../story.ts'

const MARKS = ['success', 'failed', 'running', 'pending', 'cancelled', 'warning', 'off', 'unknown'] as const
const ICONS: readonly IconName[] = [
  'close', 'search', 'copy', 'trash', 'plus', 'pause', 'play', 'light', 'dark', 'system', 'keyboard', 'chevron', 'back', 'columns',
  'external'
]
const names = { field: 'Field', before: 'Before', after: 'After', notThere: 'not there' }
const changes = [
  { path: 'cron', before: '"0 8 * * *"', after: '"30 8 * * *"' },
  { path: 'args[1]', before: undefined, after: '30' }
]
const loads = {
  never: () => new Promise<typeof Loaded>(() => {}),
  soon: () => Promise.resolve(Loaded),
  fails: () => Promise.reject<typeof Loaded>(new Error('offline'))
}

// Dialogs draw notices too, and the good one would leave.
function SampleNotices() {
  useEffect(() => {
    notify('bad', 'reports:daily is still enabled: the broker cannot be reached')
    notify('bad', `${HOSTILE} ${UNBROKEN}`)
  }, [])
  return <Notices />
}

export const elementStories: Stories = {
  'elements/code': [
    { state: 'ready', show: () => <Code label="The call" text={'curl -X POST http://localhost/api'} /> },
    { state: 'partial', words: 'it cannot be copied yet', show: () => <Code label="The call" text="curl" notYet="Not yet" /> },
    { state: 'huge', show: () => <Code label="The call" text={`${UNBROKEN}\n`.repeat(60)} /> },
    { state: 'hostile', show: () => <Code label={HOSTILE} text={HOSTILE} /> }
  ],
  'elements/copy-button': [
    { state: 'ready', show: () => <CopyButton label="Copy" text="text" /> },
    { state: 'partial', words: 'it cannot be copied yet', show: () => <CopyButton label="Copy" text="text" notYet="Not yet" /> },
    { state: 'hostile', show: () => <CopyButton label={HOSTILE} text={HOSTILE} notYet={HOSTILE} /> }
  ],
  'elements/dialog': [
    { state: 'ready', show: () => <Dialog title="New schedule" onClose={nothing}><p>What it asks.</p></Dialog> },
    { state: 'huge', show: () => <Dialog title={LONG} onClose={nothing}><p className="wrap">{LONG.repeat(4)}</p></Dialog> },
    { state: 'hostile', show: () => <Dialog title={HOSTILE} onClose={nothing}><p>{HOSTILE}</p></Dialog> }
  ],
  'elements/differences': [
    { state: 'ready', show: () => <Differences label="Changes" names={names} changes={changes} /> },
    { state: 'empty', show: () => <Differences label="Changes" names={names} changes={[]} /> },
    { state: 'huge', show: () => <Differences label="Changes" names={names} changes={[{ path: UNBROKEN, before: UNBROKEN,
      after: LONG }]} /> },
    { state: 'hostile', show: () => <Differences label="Changes" names={names} changes={[{ path: HOSTILE, before: HOSTILE,
      after: HOSTILE }]} /> }
  ],
  'elements/form-dialog': [
    { state: 'ready', show: () => form('Run this task?', 'Run it', true, false) },
    { state: 'forbidden', words: 'something is missing', show: () => form('Run this task?', 'Run it', false, false) },
    { state: 'partial', words: 'dangerous', show: () => form('Delete this?', 'Delete it', true, true) },
    { state: 'hostile', show: () => form(HOSTILE, HOSTILE, true, true) }
  ],
  'elements/icon': [{
    state: 'ready',
    show: () => <p className="filter">{ICONS.map(name => <span key={name} className="filter-item"><Icon name={name} /></span>)}</p>
  }],
  'elements/json-view': [
    { state: 'ready', show: () => <JsonView label="Arguments" value={[{ order: 42, lines: [{ sku: 'a-1', count: 2 }], note: null }]} /> },
    { state: 'empty', show: () => <><JsonView label="List" value={[]} /><JsonView label="Object" value={{}} /></> },
    {
      state: 'huge',
      show: () => <JsonView label="Arguments" value={Array.from({ length: 10_000 }, (_, index) => ({ index, text: 'x'.repeat(600) }))} />
    },
    { state: 'huge', words: 'nowhere to break it', show: () => <JsonView label="Arguments" value={{ [UNBROKEN]: UNBROKEN }} /> },
    { state: 'hostile', show: () => <JsonView label="Arguments" value={{ __proto__x: HOSTILE, [HOSTILE]: LONG }} /> }
  ],
  'elements/later': [
    { state: 'loading', show: () => <Later load={loads.never} given={{ text: '' }} waiting={<p>Loading</p>} failed={null} /> },
    { state: 'ready', show: () => <Later load={loads.soon} given={{ text: 'The part is here' }} failed={null} /> },
    { state: 'error', show: () => <Later load={loads.fails} given={{ text: '' }} failed={<p>The part could not be loaded</p>} /> },
    { state: 'hostile', show: () => <Later load={loads.soon} given={{ text: HOSTILE }} failed={null} /> }
  ],
  'elements/long-text': [
    { state: 'ready', show: () => <LongText label="Text" text="short" /> },
    { state: 'huge', show: () => <LongText label="Stack" text={'at step (/app/orders.js:1:1)\n'.repeat(2_000)} /> },
    { state: 'huge', words: 'nowhere to break it', show: () => <LongText label="Stack" text={UNBROKEN} /> },
    { state: 'hostile', show: () => <LongText label="Text" text={HOSTILE} /> }
  ],
  'elements/moment': [
    {
      state: 'ready', show: () => <ul className="list">
        {(['moment', 'relative', 'clock', 'exact', 'both'] as const).map(as => <li key={as}>{as}: <Moment at={ago(80_000)} as={as} /></li>)}
        <li><Due at={ahead(700)} /></li><li><Countdown at={ahead(700)} /></li>
      </ul>
    },
    { state: 'stale', words: 'it is past', show: () => <><Due at={ago(7)} /> <Countdown at={ago(7)} /></> },
    { state: 'huge', show: () => <Moment at="9999-12-31T23:59:59.999Z" as="both" /> },
    { state: 'hostile', words: 'no time', show: () => <Moment at={HOSTILE} /> }
  ],
  'elements/notices': [{ state: 'hostile', words: 'and one that is not', show: () => <SampleNotices /> }],
  'elements/page-link': [
    { state: 'ready', show: () => <PageLink href="/tasks">To the task</PageLink> },
    {
      state: 'forbidden', words: 'the words alone, and no way',
      show: () => <MayOpen value={() => false}>
        <PageLink href="/tasks">The task</PageLink><PageLink href="/tasks" isWay>Way</PageLink>
      </MayOpen>
    },
    { state: 'hostile', show: () => <PageLink href="/tasks" title={HOSTILE}>{HOSTILE}</PageLink> }
  ],
  'elements/part': [
    { state: 'ready', show: () => <Part title="Result" note="cut"><dl className="facts"><Fact name="Order">42</Fact></dl></Part> },
    {
      state: 'huge', show: () => <Part title={LONG} note={LONG}>
        <dl className="facts"><Fact name={LONG}><span className="wrap">{LONG}</span></Fact></dl>
      </Part>
    },
    { state: 'hostile', show: () => <Part title={HOSTILE}><dl className="facts"><Fact name={HOSTILE}>{HOSTILE}</Fact></dl></Part> }
  ],
  'elements/status-mark': [
    {
      state: 'ready',
      show: () => <p className="filter">
        {MARKS.map(mark => <span key={mark} className="filter-item"><StatusMark mark={mark} word={mark} /></span>)}
      </p>
    },
    {
      state: 'partial', words: 'the shape alone',
      show: () => <p className="filter">
        {MARKS.map(mark => <span key={mark} className="filter-item"><StatusMark mark={mark} word={mark} isQuiet /></span>)}
      </p>
    }
  ],
  'elements/switch': [
    { state: 'ready', show: () => switches(false) },
    { state: 'loading', words: 'it is being changed', show: () => switches(true) },
    { state: 'hostile', show: () => <Switch isOn isBusy={false} label={HOSTILE} onChange={nothing} /> }
  ],
  'elements/unknown': [
    { state: 'unknown', show: () => <Unknown reason="It was not recorded" /> },
    { state: 'hostile', show: () => <Unknown reason={HOSTILE} /> }
  ]
}

function Loaded({ text }: { text: string }) {
  return <p>{text}</p>
}

function form(title: string, confirm: string, isReady: boolean, isDangerous: boolean) {
  return <FormDialog title={title} confirmLabel={confirm} isReady={isReady} isDangerous={isDangerous} onConfirm={nothing} onClose={nothing}>
    <p>What confirming does.</p>
  </FormDialog>
}

function switches(isBusy: boolean) {
  return <>
    <Switch isOn isBusy={isBusy} label="On" onChange={nothing} /> <Switch isOn={false} isBusy={isBusy} label="Off" onChange={nothing} />
  </>
}
