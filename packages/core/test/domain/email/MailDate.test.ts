import { describe, expect, it } from "vitest"
import { parseMailDate } from "../../../src/domain/email/MailDate.ts"

const iso = (value: string): string | null => {
  const at = parseMailDate(value)
  return at === null ? null : new Date(at).toISOString()
}

describe("parseMailDate", () => {
  it.each([
    ["Tue, 3 Mar 2026 09:05:07 +0130", "2026-03-03T07:35:07.000Z"],
    ["3 Mar 2026 09:05 -0800", "2026-03-03T17:05:00.000Z"],
    ["Tue, 03 Mar 2026 09:05:07 GMT (Greenwich (sort of))", "2026-03-03T09:05:07.000Z"],
    ["Tue, 3 Mar 26 09:05:07 EST", "2026-03-03T14:05:07.000Z"],
    ["13 Feb 49 10:11:12 Z", "2049-02-13T10:11:12.000Z"],
    ["Fri, 13 Feb 98 10:11:12 PDT", "1998-02-13T17:11:12.000Z"],
    ["Fri, 13 Feb 102 10:11:12 Z", "2002-02-13T10:11:12.000Z"],
    ["Fri, 13 Feb 0102 10:11:12 Z", "2002-02-13T10:11:12.000Z"],
    ["Friday, 13-Feb-2004 10:11:12 UT", "2004-02-13T10:11:12.000Z"],
    ["13 February 2004, 1:2:3 +0000", "2004-02-13T01:02:03.000Z"],
    ["Fri Feb 13 10:11:12 CET 2004", "2004-02-13T09:11:12.000Z"],
    ["Fri Feb 13 10:11:12 2004", "2004-02-13T10:11:12.000Z"],
    ["2004-02-13T10:11:12+02:00", "2004-02-13T08:11:12.000Z"],
    ["2004-02-13", "2004-02-13T00:00:00.000Z"],
    ["13 Feb 2004 10:11:60 +0000", "2004-02-13T10:11:59.000Z"],
    ["13 Feb 2004 10:11:12 XYZ", "2004-02-13T10:11:12.000Z"]
  ])("reads %s", (value, expected) => {
    expect(iso(value)).toBe(expected)
  })

  it.each([
    "",
    "yesterday",
    "32 Jan 2004 10:11:12 +0000",
    "30 Feb 2004 10:11:12 +0000",
    "13 Foo 2004 10:11:12 +0000",
    "13 Feb 2004 25:11:12 +0000",
    "13 Feb 2004 10:71:12 +0000",
    "13 Feb 3609 10:11:12 +0000",
    "13 Feb 55 10:11:12 +0000",
    "1 Jan 1970 00:00:00 +0000",
    "13 Feb 2004 10:11:12 -1900"
  ])("rejects %j", (value) => {
    expect(parseMailDate(value)).toBeNull()
  })
})
