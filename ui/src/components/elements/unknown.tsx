import { elementTexts } from '../../texts/elements.ts'

/** What cannot be told, and why; never a zero in its place. */
export function Unknown({ reason }: { reason: string }) {
  return <span className="unknown" title={reason}>
    <span aria-hidden="true">—</span><span className="sr-only">{elementTexts.unknown(reason)}</span>
  </span>
}
