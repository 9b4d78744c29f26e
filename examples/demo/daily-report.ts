/** Keeps a CPU busy for a moment, which is why the task has the type `cpu`. */
export default function dailyReport(_day: string): { orders: number; median: number } {
  const amounts = Float64Array.from({ length: 400_000 }, () => Math.random() * 300).sort()
  return { orders: amounts.length, median: Math.round(amounts[amounts.length / 2]! * 100) / 100 }
}
