import { useSignIn } from '../../hooks/use-sign-in.ts'
import { frameTexts } from '../../texts/frame.ts'

/** The way back in for signed-out readers: the host's sign-in page, or else a reload, which shows what the server asks for. */
export function SignInAgain({ isSmall = false }: { isSmall?: boolean }) {
  const addressNow = useSignIn()
  const className = `button ${isSmall ? 'button-small' : ''}`
  const href = addressNow()
  if (href === null) return <button type="button" className={className} onClick={() => location.reload()}>{frameTexts.signInAgain}</button>
  // The address may have changed since this was drawn.
  return <a className={className} href={href} onClick={event => { event.currentTarget.href = addressNow() ?? href }}>
    {frameTexts.signInAgain}
  </a>
}
