import type { ReactNode } from 'react'

interface Props {
  readonly label: string
  readonly children: ReactNode
  /** One short line below: the parts of the figure. */
  readonly note?: ReactNode
  readonly title?: string | undefined
}

/** One number and its name. It belongs in a `<Figures>`. */
export function Figure({ label, children, note, title }: Props) {
  return (
    <div className="figure" title={title}>
      <dt>{label}</dt>
      <dd className="figure-value">{children}</dd>
      {note !== undefined && <dd className="figure-note">{note}</dd>}
    </div>
  )
}

export function Figures({ label, children }: { label: string; children: ReactNode }) {
  return <dl className="figures" aria-label={label}>{children}</dl>
}
