import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { doubtOf, letBe } from '../api/intentions.ts'

/**
 * An action that the user requests once, until its outcome is known.
 * @param nameOf the name of the action, as for `carryOut`
 * @param next what is sent next, unless the outcome of the last request is in doubt
 */
export function useIntention<Data, Input>(
  mutation: UseMutationOptions<Data, Error, Input>, nameOf: (input: Input) => string, next: Input
) {
  const { mutate, reset, isPending, data, error, variables } = useMutation(mutation)
  // What was sent may differ from what the fields say now.
  const sent = variables ?? next
  const name = nameOf(sent)
  // The doubt outlives the view, so that it is shown again when the view is reopened.
  const doubt = isPending ? null : doubtOf(name)
  return {
    isPending, data, error, doubt, reset,
    send: () => mutate(doubt === null ? next : sent),
    letBe() {
      letBe(name)
      reset()
    }
  }
}
