import { Clock, Context, Effect, PartitionedSemaphore } from "effect"
import { type Message, MessageMissing } from "../../domain/conversation/Message.ts"
import type { AttachmentClaim } from "../../domain/email/AttachmentLink.ts"
import {
  maxImageRedirects,
  maxRemoteImageBytes,
  maxRemoteImagesInFlight,
  rasterTypeOf,
  redirectOf,
  RemoteImageNotFound,
  remoteImagesIn,
  remoteImageTimeoutMillis
} from "../../domain/email/RemoteImage.ts"
import { isId } from "../../domain/Id.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { RemoteImageSenders } from "../../port/repository/conversation/RemoteImageSenders.ts"
import { Egress } from "../../port/system/Egress.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { withSpan } from "../WithSpan.ts"

/** The remote images of a message. */
export interface RemoteImages {
  readonly message: Message
  readonly urls: ReadonlyArray<string>
  /** Whether the tenant shows the remote images of the sender. */
  readonly isAllowed: boolean
}

const imagesOf = Effect.fnUntraced(function* (tenantId: string, messageId: string) {
  const message = isId("msg", messageId) ? yield* (yield* Messages).find(tenantId, messageId) : null
  return message === null ? null : { message, urls: remoteImagesIn(message.htmlBody ?? "") }
})

/** Returns the remote images of a message. Requests none of them. */
export const readRemoteImages = Effect.fnUntraced(function* (tenantId: string, messageId: string) {
  const images = yield* imagesOf(tenantId, messageId)
  if (images === null) return yield* new MessageMissing({ messageId })
  const isAllowed = yield* (yield* RemoteImageSenders).isAllowed(tenantId, images.message.contactId)
  return { ...images, isAllowed } satisfies RemoteImages
}, withSpan("readRemoteImages"))

/** Shows the remote images in the mails of a contact from now on, or no longer. */
export const allowRemoteImages = Effect.fnUntraced(function* (tenantId: string, contactId: string, allow: boolean) {
  const now = yield* Clock.currentTimeMillis
  const senders = yield* RemoteImageSenders
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const contact = yield* requireUnmergedContact(tenantId, contactId)
      yield* allow ? senders.allow(tenantId, contact.contactId, now) : senders.remove(tenantId, contact.contactId)
    })
  )
}, withSpan("allowRemoteImages"))

const unavailable = (reason: string): RemoteImageNotFound => new RemoteImageNotFound({ reason })

/** The images that this process may still request. Waiting tenants are served in turn. */
const ImageRoom = Context.Reference("core/workflow/conversation/ImageRoom", {
  defaultValue: () => PartitionedSemaphore.makeUnsafe<string>({ permits: maxRemoteImagesInFlight })
})

/** Requests an address without cookies and referrer. Follows redirects; each address passes the egress policy. */
const request = Effect.fnUntraced(function* (first: string) {
  const egress = yield* Egress
  let url = first
  for (let redirects = 0; redirects <= maxImageRedirects; redirects++) {
    const { body, headers, status } = yield* egress
      .get({
        url,
        headers: { accept: "image/avif,image/webp,image/png,image/jpeg,image/gif" },
        timeoutMillis: remoteImageTimeoutMillis,
        // One more byte than permitted tells a complete image from a cut one.
        maxResponseBytes: maxRemoteImageBytes + 1
      })
      .pipe(Effect.catchTag(["EgressRefused", "EgressFailed"], ({ reason }) => unavailable(reason)))
    if (status === 200) return body
    const next = redirectOf(status, headers["location"], url)
    if (next === null) return yield* unavailable(`The server of the image responded with status ${status}.`)
    url = next
  }
  return yield* unavailable("The server of the image redirects too often.")
})

const inTime = Effect.timeoutOrElse({
  duration: remoteImageTimeoutMillis,
  orElse: () => unavailable("The server of the image responds too slowly.")
})

/** Fetches the image that a link opens. Fails with `RemoteImageNotFound` unless it is a raster image of a fair size. */
export const fetchRemoteImage = Effect.fnUntraced(function* ({ index, messageId, tenantId }: AttachmentClaim) {
  const url = (yield* imagesOf(tenantId, messageId))?.urls[index]
  if (url === undefined) return yield* new RemoteImageNotFound({ reason: null })
  const bytes = yield* (yield* ImageRoom).withPermit(tenantId)(inTime(request(url)))
  if (bytes.length > maxRemoteImageBytes) return yield* unavailable(`It exceeds ${maxRemoteImageBytes} bytes.`)
  const mediaType = rasterTypeOf(bytes)
  return mediaType === null ? yield* unavailable("It is not a raster image.") : { bytes, mediaType }
}, withSpan("fetchRemoteImage"))
