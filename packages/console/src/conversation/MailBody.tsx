import type { Message } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { useMay } from "../app/Permissions.ts"
import { blockedImages, type ImageLinks, MailFrame } from "../component/MailFrame.tsx"
import { conversationText } from "../text/Conversation.ts"
import { text } from "../text/Shared.ts"
import styles from "./MessageItem.module.css"

/** The links to the image proxy are renewed after this time. The server accepts them for 15 minutes. */
const linkMillis = 600_000

const noImages: ImageLinks = new Map()

/** Returns the images of a mail that may be shown, and the functions that permit them. */
const useImages = (messageId: string, contactId: string, hasImages: boolean) => {
  const { client, tenantId } = useConnection()
  const [isShown, setShown] = useState(false)
  const list = useQuery({
    queryKey: [tenantId, "images", messageId, isShown],
    queryFn: ({ signal }) =>
      client.remoteImages.list(tenantId, messageId, { show: isShown ? "once" : undefined, signal }),
    enabled: hasImages,
    staleTime: linkMillis
  })
  const [allow] = useAction(() => client.remoteImages.allow(tenantId, contactId), { onSuccess: () => setShown(true) })
  const images = useMemo((): ImageLinks => {
    const links = (list.data?.images ?? []).flatMap(({ proxy_url: link, url }) =>
      link === null ? [] : [[url, link] as const]
    )
    return links.length === 0 ? noImages : new Map(links)
  }, [list.data])
  return {
    images,
    isAllowed: list.data?.allowed === true,
    show: () => setShown(true),
    showAlways: () => allow(undefined)
  }
}

interface MailBodyProps {
  readonly message: Message
  readonly contactId: string
  readonly html: string
}

/** A mail as its sender formatted it. Remote images are blocked until the person or an earlier choice permits them. */
export const MailBody = ({ contactId, html, message }: MailBodyProps) => {
  const blocked = blockedImages(html)
  const mayAllow = useMay("remoteImages.allow")
  const { images, isAllowed, show, showAlways } = useImages(message.message_id ?? message.id, contactId, blocked > 0)
  return (
    <>
      {blocked === 0 || isAllowed || images.size > 0 ? null : (
        <p className={styles.notice}>
          {conversationText.images.blocked(blocked)}{" "}
          <button type="button" onClick={show}>
            {conversationText.images.show}
          </button>{" "}
          {mayAllow ? (
            <button type="button" onClick={showAlways}>
              {conversationText.images.always}
            </button>
          ) : null}
        </p>
      )}
      <MailFrame html={html} title={message.subject ?? text.channels.email} images={images} />
    </>
  )
}
