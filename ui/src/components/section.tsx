import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  readonly aside?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

export function Section({ title, aside, className = '', children }: Props) {
  return (
    <section className={`section ${className}`} aria-label={title}>
      <header className="section-header">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
