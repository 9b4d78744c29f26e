import { useSignIn } from '../../hooks/use-sign-in.ts'
import { frameTexts } from '../../texts/frame.ts'

/**
 * Lets signed-out readers sign in again: on the host's sign-in page, or else by a reload, which shows whatever sign-in the server requires.
 */
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
