import { ROUTES } from '../../format/places/routes.ts'
import { usePreference, writePreference } from '../../hooks/use-preference.ts'
import { Dialog } from '../elements/dialog.tsx'
import { frameTexts } from '../../texts/frame.ts'
import { helpTexts } from '../../texts/help.ts'

function shortcuts(): ReadonlyArray<readonly [keys: readonly string[], what: string]> {
  const { keys, searchPage, nextRow, openRow, selectRow, closeOpen, goTo, pauseAndResume, thisList } = helpTexts
  return [
    [keys.find, frameTexts.findTitle],
    [['/'], searchPage],
    [['j', 'k'], nextRow],
    [[keys.open], openRow],
    [['x'], selectRow],
    [[keys.close], closeOpen],
    ...ROUTES.flatMap(({ key, title }): Array<readonly [string[], string]> => (key === null ? [] : [[[`g ${key}`], goTo(title)]])),
    [['p'], pauseAndResume],
    [['?'], thisList]
  ]
}

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const isOff = usePreference('single-keys') === 'off'
  return (
    <Dialog title={frameTexts.shortcuts} className="dialog-narrow" onClose={onClose}>
      <dl className="keys">
        {shortcuts().map(([keys, what]) => <div key={what}><dt>{keys.map(key => <kbd key={key}>{key}</kbd>)}</dt><dd>{what}</dd></div>)}
      </dl>
      <label className="check">
        <input
          type="checkbox" checked={!isOff} onChange={event => writePreference('single-keys', event.currentTarget.checked ? 'on' : 'off')}
        />
        {helpTexts.singleKeys}
      </label>
    </Dialog>
  )
}
