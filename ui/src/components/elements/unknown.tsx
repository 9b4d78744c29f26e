import { elementTexts } from '../../texts/elements.ts'

/** An unknown value, and why it is unknown. It is never shown as zero. */
export function Unknown({ reason }: { reason: string }) {
  return <span className="unknown" title={reason}>
    <span aria-hidden="true">—</span><span className="sr-only">{elementTexts.unknown(reason)}</span>
  </span>
}
