import { Cause } from "effect"
import { expect, it } from "vitest"
import { StoreUnavailable } from "../../../src/port/system/Transactions.ts"

it("an unavailable store shows its reason where a log prints the cause of a failed item", () => {
  const reason = "PgConnection: 57P01: terminating connection due to administrator command"
  expect(Cause.pretty(Cause.fail(new StoreUnavailable({ reason })))).toContain(reason)
})
