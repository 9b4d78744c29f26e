import { Component, createContext, type ContextType, type ReactNode } from 'react'
import { StatusMark } from '../elements/status-mark.tsx'
import { frameTexts } from '../../texts/frame.ts'
import { MINUTE_MS } from '../../format/time/units.ts'

interface Props {
  /** What could not be drawn, for the start of a sentence: "This page". */
  readonly what: string
  readonly children: ReactNode
}

interface State {
  readonly error: Error | null
}

const TRIED_AGAIN_AFTER_MS = 10_000
const MAX_TRIED_AGAIN_AFTER_MS = 5 * MINUTE_MS

/** Called before a part is drawn again, because its data may have caused the error and must be requested again. */
export const ForgetAnswers = createContext<() => void>(() => {})

/** Limits an exception to one part of a page. The cause may be temporary, so the part is drawn again after a while. */
export class ErrorBoundary extends Component<Props, State> {
  static override contextType = ForgetAnswers
  declare context: ContextType<typeof ForgetAnswers>
  override state: State = { error: null }
  private waitMs = TRIED_AGAIN_AFTER_MS
  private timer: ReturnType<typeof setTimeout> | undefined

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
    // Several parts of a view can fail before it is removed: that counts as one failure.
    if (this.timer !== undefined) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.context()
      this.setState({ error: null })
    }, this.waitMs)
    this.waitMs = Math.min(this.waitMs * 2, MAX_TRIED_AGAIN_AFTER_MS)
  }

  override componentWillUnmount(): void {
    clearTimeout(this.timer)
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <Broken what={this.props.what} error={this.state.error} />
  }
}

function Broken({ what, error }: { what: string; error: Error }) {
  return (
    <div className="state" role="alert">
      <p className="state-title"><StatusMark mark="failed" word={frameTexts.cannotBeShown(what)} /></p>
      <p>{frameTexts.faultOfDashboard}</p>
      <p className="wrap">{frameTexts.browserSays} <bdi>{error.message}</bdi></p>
      <button type="button" className="button" onClick={() => location.reload()}>{frameTexts.reload}</button>
    </div>
  )
}
