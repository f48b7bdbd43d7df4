import { describeUnsent } from "@leadloom/core/internal/domain/sending/ScheduledSend"
import { plainComposition } from "@leadloom/core/internal/domain/sending/Composition"
import { MessageId } from "@leadloom/core/internal/domain/Id"
import { maxTaskDescriptionLength } from "@leadloom/core/internal/domain/task/Task"
import { describe, expect, it } from "vitest"

const messageId = MessageId.make("msg_00000000000000000000000000")

const unsent = (body: string, subject: string | null = null): string =>
  describeUnsent({ messageId, composition: { ...plainComposition, channel: "email", subject, body } })

describe("describeUnsent", () => {
  it("returns the subject and the text", () => {
    expect(unsent("We come on Monday.")).toBe("We come on Monday.")
    expect(unsent("We come on Monday.", "Your roof")).toBe("Your roof\n\nWe come on Monday.")
    const longest = "a".repeat(maxTaskDescriptionLength)
    expect(unsent(longest)).toBe(longest)
  })

  it("cuts a long text, and names the message that contains all of it", () => {
    for (const shift of ["", "a"]) {
      const cut = unsent(shift + "😀".repeat(maxTaskDescriptionLength))
      expect(cut.length).toBe(maxTaskDescriptionLength)
      expect(cut.isWellFormed()).toBe(true)
      expect(cut).toMatch(/…\n\nThe complete text is in the scheduled message msg_0{26}$/u)
    }
  })
})
