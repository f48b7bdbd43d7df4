import { describe, expect, it } from "vitest"
import { startProgress } from "../../src/import/Progress.ts"
import { fakeTerminal } from "../FakeTerminal.ts"

describe("startProgress", () => {
  it("writes a line every five seconds without a terminal", () => {
    const terminal = fakeTerminal("/nowhere")
    let now = 0
    const progress = startProgress(terminal, 200, () => now)
    for (const [time, bytes, mails] of [
      [1_000, 20, 1],
      [5_000, 100, 5],
      [6_000, 120, 6],
      [10_500, 199, 9]
    ] as const) {
      now = time
      progress.update(bytes, mails)
    }
    progress.end()
    expect(terminal.written).toEqual({ out: "", err: "50 %, 5 mails\n99 %, 9 mails\n" })
  })
})
