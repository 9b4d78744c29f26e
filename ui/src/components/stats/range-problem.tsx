/** What is wrong with the time range in the address, and what is shown instead. */
export function RangeProblem({ problem }: { problem: string | null }) {
  return problem === null ? null : <p className="alert range-problem" role="status"><bdi>{problem}</bdi></p>
}
