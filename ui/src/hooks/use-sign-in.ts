import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import { signInAddress } from '../format/places/sign-in.ts'

/** The address of the sign-in that leads back to where the page is when it is asked; null when there is none. */
export function useSignIn(): () => string | null {
  const template = useQuery({ ...sessionQuery, enabled: false }).data?.sign_in_url ?? null
  return () => (template === null ? null : signInAddress(template, location))
}
