import { assert, describe, it } from "@effect/vitest"
import { Cause } from "effect"
import { ConnectionError, SqlError, SqlSyntaxError, UniqueViolation, UnknownError } from "effect/sql/SqlError"
import { causeOf } from "../src/unit/Failure.ts"
import { driverError } from "./Interception.ts"

describe("a failed statement", () => {
  const outages = [
    "SQLITE_BUSY",
    "SQLITE_BUSY_SNAPSHOT",
    "SQLITE_CANTOPEN",
    "SQLITE_CORRUPT_VTAB",
    "SQLITE_FULL",
    "SQLITE_IOERR_FSYNC",
    "SQLITE_LOCKED",
    "SQLITE_NOTADB",
    "SQLITE_READONLY_DBMOVED",
    "53100",
    "57P01",
    "25006",
    "25P03",
    "3D000"
  ]
  it.for(outages)("with the code %s is an outage that names it", (code) => {
    const failure = causeOf(driverError(code)).reasons.find(Cause.isFailReason)
    assert.include(failure?.error.reason, code)
  })
  it.for(["SQLITE_ERROR", "SQLITE_MISMATCH", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_TOOBIG", "22P02", "42P01"])(
    "with the code %s is a defect",
    (code) => assert.isTrue(causeOf(driverError(code)).reasons.every(Cause.isDieReason))
  )
  it("is classified by the driver's reason, if there is one", () => {
    const tagsOf = (error: SqlError) => causeOf(error).reasons.map(({ _tag }) => _tag)
    const cause = new Error("gone")
    assert.deepStrictEqual(tagsOf(new SqlError({ reason: new ConnectionError({ cause }) })), ["Fail"])
    assert.deepStrictEqual(tagsOf(new SqlError({ reason: new SqlSyntaxError({ cause }) })), ["Die"])
    assert.deepStrictEqual(tagsOf(new SqlError({ reason: new UniqueViolation({ cause, constraint: "k" }) })), ["Die"])
    const closed = new UnknownError({ cause: new TypeError("The database connection is not open") })
    assert.deepStrictEqual(tagsOf(new SqlError({ reason: closed })), ["Fail"])
  })
})
