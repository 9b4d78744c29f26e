import { texts } from '../../texts/texts.ts'

/** What cannot be told, and why; never a zero in its place. */
export function Unknown({ reason }: { reason: string }) {
  return <span className="unknown" title={reason}>
    <span aria-hidden="true">—</span><span className="sr-only">{texts.elements.unknown(reason)}</span>
  </span>
}
