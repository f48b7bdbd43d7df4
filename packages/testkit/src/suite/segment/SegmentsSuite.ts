/** Suites of segments. Their filters are tested in `packages/testkit/src/suite/contact`. */
import { assert, layer } from "@effect/vitest"
import { allContacts } from "@leadloom/core/internal/domain/contact/ContactFilter"
import type { Segment } from "@leadloom/core/internal/domain/segment/Segment"
import { Segments } from "@leadloom/core/internal/port/repository/contact/Segments"
import { Effect } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, idOf, noon } from "../Records.ts"

/** Tests the port `Segments` on a store. */
export const segmentsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Segments on ${name}`, (it) => {
    it.effect("returns segments as stored, oldest first, and keeps tenants apart", () =>
      Effect.gen(function* () {
        const segments = yield* Segments
        const [one, other] = [freshTenant(), freshTenant()]
        const filters = { ...allContacts, tags: ["ä"], customFields: { size: 4 }, createdAfter: noon }
        const segment = (number: number): Segment => ({
          segmentId: idOf("seg", number),
          tenantId: one,
          name: `Segment ${number}`,
          filters,
          createdAt: noon,
          updatedAt: noon
        })
        for (const number of [2, 1]) yield* segments.insert(segment(number))
        assert.deepStrictEqual(yield* segments.list(one), [segment(1), segment(2)])
        assert.deepStrictEqual(yield* segments.list(other), [])
        assert.strictEqual((yield* Effect.flip(segments.get(other, idOf("seg", 1))))._tag, "SegmentNotFound")
        const changed = { ...segment(1), name: "Changed", filters: allContacts, updatedAt: noon + 1 }
        yield* segments.update(changed)
        assert.deepStrictEqual(yield* segments.get(one, idOf("seg", 1)), changed)
        yield* segments.remove(one, idOf("seg", 1))
        assert.deepStrictEqual(yield* segments.list(one), [segment(2)])
      })
    )
  })
