import { readFileSync } from "node:fs"
import { join } from "node:path"
import { repository, sourcesOf } from "@leadloom/testkit/Sources"
import { expect, it } from "vitest"

/** Limits that callers, senders and operators cannot observe: they bound the work of one step. */
const internal = [
  "maxDeliverySteps",
  "maxEchoLength",
  "maxExpressionLength",
  "maxFindTextAttempts",
  "maxIdLength",
  "maxKeysPerPass",
  "maxLength",
  "maxMarkLineLength",
  "maxQuotedHtmlLength",
  "maxScannedBytes",
  "maxSignatureLines",
  "maxSplitTextLength",
  "maxTextSteps",
  "maxUnfinishedStarts",
  "maxUnsubscribeToken",
  "maxWaiting"
]

const limits = [...sourcesOf("core"), ...sourcesOf("api")]
  .filter(({ path }) => path.includes("/api/src/") || path.includes("/core/src/domain/"))
  .flatMap(({ text }) => [...text.matchAll(/^export const (max[A-Z]\w*)/gmu)].map(([, name = ""]) => name))

it("lists every limit of the domain and the contract in the reference, except internal ones", () => {
  const lists = ["LimitList.ts", "SequenceLimits.ts"].map((file) => join(repository, "packages/server/generate", file))
  const listed = lists.map((file) => readFileSync(file, "utf8")).join("\n")
  const missing = limits.filter((name) => !new RegExp(`\\b${name}\\b`, "u").test(listed))
  expect(missing.toSorted()).toEqual(internal)
})
