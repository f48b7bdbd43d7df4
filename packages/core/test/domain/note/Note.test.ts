import { describe, expect, it } from "vitest"
import { mentionsIn } from "../../../src/domain/note/Note.ts"

const kim = "usr_01jz0000000000000000000000"
const lee = "usr_01jz0000000000000000000001"
const sales = "team_01jz0000000000000000000000"

describe("the mentions in a text", () => {
  it("finds users and teams once, with and without angle brackets", () => {
    expect(mentionsIn(`<@${kim}> and @${lee}: ask <@${sales}>, @${kim}!`)).toEqual({
      userIds: [kim, lee],
      teamIds: [sales]
    })
  })

  it("ignores addresses, short ids and longer words", () => {
    const text = `jo@customer.example @usr_1 @${kim}0 usr@ @everyone ${kim}`
    expect(mentionsIn(text)).toEqual({ userIds: [], teamIds: [] })
  })
})
