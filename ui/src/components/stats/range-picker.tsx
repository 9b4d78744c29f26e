import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { currentTime } from '../../format/time/clock.ts'
import { isSameRange, lastOf, PRESETS, rangeLabel, rangeWords, toInputs, type TimeRange } from '../../format/time/time-range.ts'
import { instantOfInput } from '../../format/time/time.ts'
import { timeTexts } from '../../texts/time.ts'
import { showCurrent } from '../elements/show-current.ts'

interface Props {
  readonly range: TimeRange | null
  /** Also offers all time. */
  readonly hasAllTime?: boolean
  readonly href: (range: TimeRange | null) => string
  readonly onPick: (range: TimeRange) => void
}

/** The time range of the whole page: by name, typed, or from one instant to another. */
export function RangePicker({ range, hasAllTime = false, href, onPick }: Props) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const choicesShown = useRef<HTMLElement>(null)
  useEffect(() => showCurrent(choicesShown.current), [range])
  /** Moves the focus first, because the focused field disappears. */
  const close = (): void => {
    opener.current?.focus()
    setOpen(false)
  }
  const isOther = range !== null && !PRESETS.some(preset => isSameRange(preset, range))
  const choices: ReadonlyArray<TimeRange | null> = hasAllTime ? [...PRESETS, null] : PRESETS
  return (
    <div
      className="range-picker"
      onKeyDown={event => {
        if (!isOpen || event.key !== 'Escape') return
        event.preventDefault()
        close()
      }}
    >
      <nav className="segments" aria-label={timeTexts.range} ref={choicesShown}>
        {choices.map(choice => {
          const words = rangeWords(choice)
          return (
            <Link
              key={words} href={href(choice)} className="segment" title={words}
              aria-current={isSameRange(choice, range) ? 'true' : undefined}
            >
              {choice?.kind === 'last' ? rangeLabel(choice) : timeTexts.all}
            </Link>
          )
        })}
        <button
          ref={opener} type="button" className="segment" aria-expanded={isOpen} aria-pressed={isOther} onClick={() => setOpen(!isOpen)}
        >
          {isOther ? rangeWords(range, currentTime()) : timeTexts.other}
        </button>
      </nav>
      {isOpen && <OtherRange range={range} onPick={picked => { close(); onPick(picked) }} />}
    </div>
  )
}

function OtherRange({ range, onPick }: { range: TimeRange | null; onPick: (range: TimeRange) => void }) {
  const inputs = toInputs(range, currentTime())
  const [last, setLast] = useState(range?.kind === 'last' ? range.text : '')
  const [from, setFrom] = useState(inputs.from)
  const [to, setTo] = useState(inputs.to)
  const [problem, setProblem] = useState<string | null>(null)
  const pickLast = (): void => {
    const picked = lastOf(last.replace(/\s/g, ''))
    if (picked) onPick(picked)
    else setProblem(timeTexts.howToWrite)
  }
  const pickBetween = (): void => {
    const shown = range?.kind === 'between' ? range : null
    // When clocks are set back, a time of day means two instants. A field that was not edited keeps its instant.
    const instantOf = (text: string, before: string, at: number | null | undefined): number | null =>
      text === '' ? null : text === before && at ? at : Date.parse(instantOfInput(text) ?? '')
    const [start, end] = [instantOf(from, inputs.from, shown?.from), instantOf(to, inputs.to, shown?.to)]
    if (start === null || Number.isNaN(start)) setProblem(timeTexts.giveBeginning)
    else if (start >= currentTime()) setProblem(timeTexts.hasNotBegun)
    else if (end !== null && (Number.isNaN(end) || end <= start)) setProblem(timeTexts.endsBeforeItBegins)
    else onPick({ kind: 'between', from: start, to: end })
  }
  return (
    <div className="range-other">
      <form onSubmit={event => { event.preventDefault(); pickLast() }}>
        <label>
          {timeTexts.last} <input
            type="text" value={last} placeholder="45m" maxLength={12} onInput={event => setLast(event.currentTarget.value)}
          />
        </label>
        <button type="submit" className="button">{timeTexts.show}</button>
      </form>
      <form onSubmit={event => { event.preventDefault(); pickBetween() }}>
        {/* Any step, because a range that was brushed over in a chart has seconds. */}
        <label>{timeTexts.from} <input
          type="datetime-local" step="any" value={from} onInput={event => setFrom(event.currentTarget.value)}
        /></label>
        <label>{timeTexts.to} <input
          type="datetime-local" step="any" value={to} onInput={event => setTo(event.currentTarget.value)}
        /></label>
        <button type="submit" className="button">{timeTexts.show}</button>
      </form>
      {problem && <p className="tone-bad" role="alert">{problem}</p>}
    </div>
  )
}
