import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import { signInAddress } from '../format/places/sign-in.ts'

/** @returns a function that returns the sign-in address which leads back to the current address of the page; null if there is no sign-in */
export function useSignIn(): () => string | null {
  const template = useQuery({ ...sessionQuery, enabled: false }).data?.sign_in_url ?? null
  return () => (template === null ? null : signInAddress(template, location))
}
