import type { ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'

interface Props {
  readonly title: string
  readonly aside?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/** A part of a page with a name. If it cannot be drawn, the other parts stay. */
export function Section({ title, aside, className = '', children }: Props) {
  return (
    <section className={`section ${className}`} aria-label={title}>
      <header className="section-header">
        <h2>{title}</h2>
        {aside}
      </header>
      <ErrorBoundary what={title}>{children}</ErrorBoundary>
    </section>
  )
}
