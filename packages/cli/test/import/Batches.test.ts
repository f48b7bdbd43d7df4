import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { batchesOf } from "../../src/import/Batches.ts"
import type { Mail } from "../../src/mail/Mail.ts"

const mebibyte = 1024 * 1024
/** Creates a buffer that reports any length without using the memory. */
const bytesOf = (length: number): Buffer => Object.defineProperty(Buffer.alloc(0), "length", { value: length })
const mailOf = (size: number, index: number): Mail => ({
  name: String(index),
  key: String(index),
  raw: bytesOf(size),
  bytes: size
})

async function* each(mails: ReadonlyArray<Mail>): AsyncGenerator<Mail> {
  yield* mails
}
const batchesIn = async (sizes: ReadonlyArray<number>, count: number): Promise<ReadonlyArray<ReadonlyArray<Mail>>> => {
  const batches: Array<ReadonlyArray<Mail>> = []
  for await (const batch of batchesOf(each(sizes.map(mailOf)), count)) batches.push(batch)
  return batches
}

describe("batchesOf", () => {
  it("keeps the order and number of mails and the limits of a request", async () => {
    const size = fc.integer({ min: 0, max: 25 * mebibyte })
    await fc.assert(
      fc.asyncProperty(fc.array(size), fc.integer({ min: 1, max: 100 }), async (sizes, count) => {
        const batches = await batchesIn(sizes, count)
        expect(batches.flat().map((mail) => mail.name)).toEqual(sizes.map((_, index) => String(index)))
        for (const batch of batches) {
          const bytes = batch.reduce((sum, mail) => sum + mail.bytes, 0)
          expect(batch.length).toBeGreaterThan(0)
          expect(batch.length).toBeLessThanOrEqual(count)
          expect(batch.length === 1 || bytes <= 16 * mebibyte).toBe(true)
        }
      })
    )
  })

  it("fills each batch to the limit", async () => {
    expect(
      (
        await batchesIn(
          Array.from({ length: 7 }, () => 10),
          3
        )
      ).map((batch) => batch.length)
    ).toEqual([3, 3, 1])
  })
})
