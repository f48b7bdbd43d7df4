import { assert, describe } from "@effect/vitest"
import { maxUploadBytes, uploadGraceMillis, uploadLifetimeMillis } from "@leadloom/core/internal/domain/upload/Upload"
import { FileScanner } from "@leadloom/core/internal/port/provider/FileScanner"
import { Uploads } from "@leadloom/core/internal/port/repository/conversation/Uploads"
import { createAgentDraft, removeAgentDraft } from "@leadloom/core/internal/workflow/draft/AgentDrafts"
import { plainComposition } from "@leadloom/core/internal/domain/sending/Composition"
import { expireUploads } from "@leadloom/core/internal/workflow/upload/ExpireUploads"
import { receiveUpload } from "@leadloom/core/internal/workflow/upload/ReceiveUpload"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { acme, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Uploads a file with this content. */
export const upload = (content: string, filename = "offer.pdf", contentType = "application/pdf") =>
  receiveUpload("acme", { filename, contentType, content: Stream.make(bytesOf(content)), createdBy: "user:kim" })

/** A scanner that finds malware in every file with the word `virus`. */
const scanner = Layer.succeed(FileScanner, {
  open: Effect.sync(() => {
    let content = ""
    return {
      write: (bytes: Uint8Array) => Effect.sync(() => void (content += String.fromCharCode(...bytes))),
      verdict: Effect.sync(() => (content.includes("virus") ? "Eicar-Signature" : null))
    }
  })
})

/** Tests uploads on a store: their limits, their scan and their expiry. */
export const uploadSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`uploads on ${name}`, () => {
    scene("store the bytes under a clean name and type", ({ objects }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const { contentType, filename, size, uploadId } = yield* upload("hello", "..\\x/evil\r\n.png", "IMAGE/PNG; a=b")
        assert.deepStrictEqual([contentType, filename, size], ["image/png", "evil .png", 5])
        const [path, bytes] = [...objects][0] ?? assert.fail("nothing is stored")
        assert.include(path, uploadId)
        assert.deepStrictEqual(bytes, bytesOf("hello"))
        assert.strictEqual((yield* upload("x", "a", "text/html\r\nx: y")).contentType, "application/octet-stream")
      })
    )

    scene("keep nothing of a file that is too large, infected or incomplete", ({ objects }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const mebibyte = new Uint8Array(1_048_576)
        const large = Stream.fromIterable(Array.from({ length: maxUploadBytes / 1_048_576 + 1 }, () => mebibyte))
        const receive = <E>(content: Stream.Stream<Uint8Array, E>) =>
          receiveUpload("acme", { filename: "a", contentType: "a/b", content, createdBy: "user:kim" })
        assert.strictEqual((yield* Effect.flip(receive(large)))._tag, "UploadTooLarge")
        const infected = receive(Stream.fromIterable(["a vi", "rus"].map(bytesOf)))
        assert.strictEqual((yield* Effect.flip(Effect.provide(infected, scanner)))._tag, "UploadInfected")
        const broken = receive(Stream.concat(Stream.make(bytesOf("a")), Stream.fail("broken off" as const)))
        assert.strictEqual(yield* Effect.flip(broken), "broken off")
        assert.strictEqual(objects.size, 0)
        assert.strictEqual((yield* Effect.provide(upload("clean"), scanner)).size, 5)
      })
    )

    scene("expire after a day, unless a draft contains them", ({ objects }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const { contactId } = yield* acme.handleMail()
        const [held, unused] = [yield* upload("held"), yield* upload("unused")]
        const attachments = [{ uploadId: held.uploadId, contentId: null }]
        const place = { tenantId: "acme", contactId }
        const composition = { ...plainComposition, channel: "email" as const, body: "Soon", attachments }
        const { draftId } = yield* createAgentDraft(place, composition, "user:kim")
        const sources = objects.size - 2
        assert.strictEqual(yield* expireUploads(), 0)
        yield* TestClock.adjust(uploadLifetimeMillis + uploadGraceMillis)
        assert.strictEqual(yield* expireUploads(), 1)
        const left = yield* (yield* Uploads).findAll("acme", [held.uploadId, unused.uploadId])
        assert.deepStrictEqual([left.map(({ uploadId }) => uploadId), objects.size - sources], [[held.uploadId], 1])
        yield* removeAgentDraft(place, draftId, null)
        assert.strictEqual(yield* expireUploads(), 1)
        assert.strictEqual(objects.size, sources)
      })
    )
  })
}
