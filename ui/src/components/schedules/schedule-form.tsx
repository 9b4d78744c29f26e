import { cloneElement, useId, useMemo, type ReactElement } from 'react'
import { zoneWords } from '../../format/time/time.ts'
import type { DraftProblems, ScheduleDraft } from '../../format/schedules/schedule-draft.ts'
import { scheduleTexts } from '../../texts/schedules.ts'
import { MAX_JITTER_MS, MAX_PRIORITY } from '../../../../schemas/limits.ts'
import { SECOND_MS } from '../../format/time/units.ts'

interface Props {
  readonly draft: ScheduleDraft
  /** Undefined while they are not known. */
  readonly taskNames: readonly string[] | undefined
  /** Why they are not known. */
  readonly tasksMissing?: string
  readonly problems: DraftProblems
  readonly onChange: (draft: ScheduleDraft) => void
  /** Task and kind of an existing schedule cannot change. */
  readonly isEdit?: boolean
}

export function ScheduleForm({ draft, taskNames, tasksMissing, problems, onChange, isEdit = false }: Props) {
  const words = scheduleTexts
  const set = (change: Partial<ScheduleDraft>): void => onChange({ ...draft, ...change })
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')], [])
  return (
    <form className="form" onSubmit={event => event.preventDefault()}>
      {!isEdit && (
        <>
          <Field label={scheduleTexts.task} problem={problems.taskName}>
            <select value={draft.taskName} onChange={event => set({ taskName: event.currentTarget.value })}>
              {!taskNames?.length && <option value="">{taskNames ? words.noTask : tasksMissing ?? words.loadingTasks}</option>}
              {taskNames?.map(name => <option key={name} value={name}>{name}</option>)}
            </select>
          </Field>
          <div className="segments" role="group" aria-label={words.kind}>
            <button type="button" className="segment" aria-pressed={draft.timing === 'cron'} onClick={() => set({ timing: 'cron' })}>
              {words.cron}
            </button>
            <button
              type="button" className="segment" aria-pressed={draft.timing === 'interval'} onClick={() => set({ timing: 'interval' })}
            >
              {words.interval}
            </button>
          </div>
        </>
      )}
      {draft.timing === 'cron'
        ? <Field label={words.cron} note={words.cronNote} problem={problems.cron}>
          <input
            type="text" className="mono" value={draft.cron} maxLength={256} spellCheck={false} autoComplete="off"
            onInput={event => set({ cron: event.currentTarget.value })}
          />
        </Field>
        : <Field label={words.every} note={words.seconds} problem={problems.everySeconds}>
          <input
            type="number" min="1" step="any" value={draft.everySeconds}
            onInput={event => set({ everySeconds: event.currentTarget.value })}
          />
        </Field>}
      <Field label={words.timeZone}>
        <select value={draft.timezone} onChange={event => set({ timezone: event.currentTarget.value })}>
          {(zones.includes(draft.timezone)
            ? zones
            : [draft.timezone, ...zones]).map(zone => <option key={zone} value={zone}>{zone}</option>)}
        </select>
      </Field>
      <Field label={words.description} note={words.optional}>
        <input
          type="text" value={draft.description} maxLength={1000} onInput={event => set({ description: event.currentTarget.value })}
        />
      </Field>
      <Field label={words.arguments} note={words.argumentsNote} problem={problems.args}>
        <textarea
          className="mono" rows={2} value={draft.args} spellCheck={false} placeholder='["daily", 30]'
          onInput={event => set({ args: event.currentTarget.value })}
        />
      </Field>
      <div className="form-row">
        <Field label={words.priority} note={words.priorityNote} problem={problems.priority}>
          <input
            type="number" min="0" max={MAX_PRIORITY} step="1" value={draft.priority}
            onInput={event => set({ priority: event.currentTarget.value })}
          />
        </Field>
        <Field label={words.whileRunning}>
          <select value={draft.overlap} onChange={event => set({ overlap: event.currentTarget.value === 'skip' ? 'skip' : 'allow' })}>
            <option value="allow">{words.runAnyway}</option>
            <option value="skip">{words.skipRun}</option>
          </select>
        </Field>
      </div>
      <div className="form-row">
        <Field label={words.jitter} note={words.secondsAtMost} problem={problems.jitterSeconds}>
          <input
            type="number" min="0" max={MAX_JITTER_MS / SECOND_MS} step="any" value={draft.jitterSeconds}
            onInput={event => set({ jitterSeconds: event.currentTarget.value })}
          />
        </Field>
        <Field label={words.afterOutage}>
          <select value={draft.catchUp} onChange={event => set({ catchUp: event.currentTarget.value === 'one' ? 'one' : 'none' })}>
            <option value="none">{words.skipMissed}</option>
            <option value="one">{words.runOnce}</option>
          </select>
        </Field>
      </div>
      <div className="form-row form-row-even">
        <Field label={words.notBefore} note={words.optionalIn(zoneWords())} problem={problems.startAt}>
          <input type="datetime-local" step="1" value={draft.startAt} onInput={event => set({ startAt: event.currentTarget.value })} />
        </Field>
        <Field label={words.notAfter} note={words.optionalIn(zoneWords())} problem={problems.endAt}>
          <input type="datetime-local" step="1" value={draft.endAt} onInput={event => set({ endAt: event.currentTarget.value })} />
        </Field>
      </div>
      <label className="check">
        <input
          type="checkbox" checked={draft.isEnabled} onChange={event => set({ isEnabled: event.currentTarget.checked })}
        />{isEdit ? words.enabled : words.enabledFromStart}
      </label>
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly note?: string
  readonly problem?: string | undefined
  readonly children: ReactElement<{ 'aria-invalid'?: boolean; 'aria-describedby'?: string | undefined }>
}

function Field({ label, note, problem, children }: FieldProps) {
  const id = useId()
  return (
    <label className="field">
      <span>{label}{note && <span className="muted"> {note}</span>}</span>
      {cloneElement(children, { 'aria-invalid': problem !== undefined, 'aria-describedby': problem === undefined ? undefined : id })}
      {problem && <span id={id} className="tone-bad field-problem" role="status">{problem}</span>}
    </label>
  )
}
