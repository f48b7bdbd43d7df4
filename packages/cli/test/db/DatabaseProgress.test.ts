import { describe, expect, it } from "vitest"
import { startDatabaseProgress } from "../../src/db/DatabaseProgress.ts"
import { fakeTerminal } from "../FakeTerminal.ts"

describe("startDatabaseProgress", () => {
  it("writes a line every five seconds without a terminal", () => {
    const terminal = fakeTerminal("/nowhere")
    let now = 0
    const progress = startDatabaseProgress(terminal, "rows", () => now)
    for (const [time, done] of [
      [1_000, 20],
      [5_000, 100],
      [6_000, 120],
      [10_500, 199]
    ] as const) {
      now = time
      progress.update("copying messages", done, 200)
    }
    progress.end()
    expect(terminal.written).toEqual({
      out: "",
      err: "copying messages: 50 %, 100 of 200 rows\ncopying messages: 99 %, 199 of 200 rows\n"
    })
  })
})
