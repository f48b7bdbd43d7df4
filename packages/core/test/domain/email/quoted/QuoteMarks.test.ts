import { describe, expect, it } from "vitest"
import { splitQuoted } from "../../../../src/domain/email/quoted/QuotedText.ts"

const text = (...lines: ReadonlyArray<string>): string => lines.join("\n")
const answer = "Thanks, Tuesday suits us well."
const history = "Would Tuesday at ten suit you?"

/** Attribution lines by language, as mail programs write them; an array is a wrapped line. */
const attributions: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["English, Gmail", ["On Tue, Mar 5, 2024 at 9:12 AM Ann Example <ann@example.com> wrote:"]],
  ["English, Apple Mail", ["On 5 Mar 2024, at 09:12, Ann Example <ann@example.com> wrote:"]],
  ["English without an address", ["On Mar 5, 2024, at 9:12 AM, Ann Example wrote:"]],
  [
    "English over two lines",
    ["On Tue, Mar 5, 2024 at 9:12 AM Ann Example, Head of Sales <", "ann@example.com> wrote:"]
  ],
  ["English over three lines", ["On Tue, Mar 5, 2024", "at 9:12 AM Ann Example", "<ann@example.com> wrote:"]],
  [
    "English, broken before the name",
    ["On Tue, Mar 5, 2024 the customer", "Ann Example (9:12 AM) <ann@example.com> wrote:"]
  ],
  ["English, Zoho", ["---- On Tue, 05 Mar 2024 09:12:00 +0100 ann@example.com wrote ----"]],
  ["English, The Bat!", ["Tuesday, March 5, 2024, 9:12:00 AM, you wrote:"]],
  ["German, Thunderbird", ["Am 05.03.24 um 09:12 schrieb Ann Example:"]],
  ["German, Gmail", ["Am Di., 5. März 2024 um 09:12 Uhr schrieb Ann Example <ann@example.com>:"]],
  ["French", ["Le mar. 5 mars 2024 à 09:12, Ann Example <ann@example.com> a écrit :"]],
  ["Spanish", ["El mar, 5 mar 2024 a las 9:12, Ann Example (<ann@example.com>) escribió:"]],
  ["Italian", ["Il giorno mar 5 mar 2024 alle ore 09:12 Ann Example <ann@example.com> ha scritto:"]],
  ["Portuguese", ["Em ter., 5 de mar. de 2024 às 09:12, Ann Example <ann@example.com> escreveu:"]],
  ["Dutch", ["Op di 5 mrt 2024 om 09:12 schreef Ann Example <ann@example.com>:"]],
  ["Swedish", ["Den tis 5 mars 2024 kl 09:12 skrev Ann Example <ann@example.com>:"]],
  ["Danish over two lines", ["Den tirs. 5. mar. 2024 kl. 09.12 skrev Ann Example <ann@example.com", ">:"]],
  ["Finnish", ["ti 5. maalisk. 2024 klo 9.12 Ann Example (ann@example.com) kirjoitti:"]],
  ["Polish", ["wt., 5 mar 2024 o 09:12 Ann Example <ann@example.com> napisał(a):"]],
  ["Polish, Thunderbird", ["W dniu 5.03.2024 o 09:12, Ann Example pisze:"]],
  ["Czech", ["út 5. 3. 2024 v 9:12 odesílatel Ann Example <ann@example.com> napsal:"]],
  ["Hungarian", ["Ann Example <ann@example.com> ezt írta (időpont: 2024. márc. 5., K, 9:12):"]],
  ["Romanian", ["mar., 5 mar. 2024 la 09:12, Ann Example <ann@example.com> a scris:"]],
  ["Russian", ["вт, 5 мар. 2024 г. в 09:12, Ann Example <ann@example.com>:"]],
  ["Ukrainian", ["вт, 5 бер. 2024 р. о 09:12 Ann Example <ann@example.com> пише:"]],
  ["Turkish", ["Ann Example <ann@example.com>, 5 Mar 2024 Sal, 09:12 tarihinde şunu yazdı:"]],
  ["Greek", ["Στις Τρί 5 Μαρ 2024 στις 9:12 π.μ., ο χρήστης Ann Example <ann@example.com> έγραψε:"]],
  ["Hebrew", ["‫בתאריך יום ג׳, 5 במרץ 2024 ב-9:12 מאת ‪Ann Example‬‏ <‪ann@example.com‬‏>:‬"]],
  ["Arabic", ["في الثلاثاء، 5 مارس 2024 في 9:12 ص، كتب Ann Example <ann@example.com>:"]],
  ["Chinese", ["Ann Example <ann@example.com> 于2024年3月5日周二 09:12写道："]],
  ["Chinese, Apple Mail", ["在 2024年3月5日，09:12，Ann Example <ann@example.com> 写道："]],
  ["Japanese", ["2024年3月5日(火) 9:12 Ann Example <ann@example.com>:"]],
  ["Korean", ["2024년 3월 5일 (화) 오전 9:12, Ann Example <ann@example.com>님이 작성:"]],
  ["Vietnamese", ["Vào Th 3, 5 thg 3, 2024 vào lúc 09:12 Ann Example <ann@example.com> đã viết:"]],
  ["Indonesian", ["Pada Sel, 5 Mar 2024 pukul 09.12 Ann Example <ann@example.com> menulis:"]]
]

/** The header names of quoted mail by language: From, Date, To, Subject. */
const headerBlocks: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["English", ["From", "Sent", "To", "Subject"]],
  ["English in bold", ["*From*", "*Sent*", "*To*", "*Subject*"]],
  ["German", ["Von", "Gesendet", "An", "Betreff"]],
  ["French", ["De ", "Envoyé ", "À ", "Objet "]],
  ["Spanish", ["De", "Enviado el", "Para", "Asunto"]],
  ["Italian", ["Da", "Inviato", "A", "Oggetto"]],
  ["Portuguese", ["De", "Enviada em", "Para", "Assunto"]],
  ["Dutch", ["Van", "Verzonden", "Aan", "Onderwerp"]],
  ["Swedish", ["Från", "Skickat", "Till", "Ämne"]],
  ["Norwegian", ["Fra", "Sendt", "Til", "Emne"]],
  ["Finnish", ["Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"]],
  ["Polish", ["Od", "Wysłano", "Do", "Temat"]],
  ["Czech", ["Od", "Odesláno", "Komu", "Předmět"]],
  ["Hungarian", ["Feladó", "Elküldve", "Címzett", "Tárgy"]],
  ["Russian", ["От", "Отправлено", "Кому", "Тема"]],
  ["Turkish", ["Kimden", "Gönderildi", "Kime", "Konu"]],
  ["Greek", ["Από", "Στάλθηκε", "Προς", "Θέμα"]],
  ["Hebrew", ["מאת", "נשלח", "אל", "נושא"]],
  ["Chinese", ["发件人", "发送时间", "收件人", "主题"]],
  ["Japanese", ["差出人", "送信日時", "宛先", "件名"]],
  ["Korean", ["보낸 사람", "보낸 날짜", "받는 사람", "제목"]]
]

describe("attribution lines", () => {
  it.each(attributions)("folds unmarked history under a line in %s", (_, lines) => {
    const split = splitQuoted(text(answer, "", ...lines, "", history))
    expect(split.visible).toBe(answer)
    expect(split.quoted).toBe(text(...lines, "", history))
  })

  it.each(attributions)("folds marked history under a line in %s and keeps the answer below", (_, lines) => {
    const split = splitQuoted(text(...lines, `> ${history}`, "", answer))
    expect(split.visible).toBe(answer)
    expect(split.quoted).toContain(lines[0])
  })

  it.each([
    "Then she said:",
    "Here is what the log of 10:30 says:",
    "In 2015 he wrote:",
    "On the other hand, this is what I wrote:",
    "Please write to one of these addresses, before 12:00:",
    "Our offer of 2024-03-05 for info@example.com, as agreed with your colleagues on the phone last week:"
  ])("keeps the text after %j, which is the writer's own line", (line) => {
    const body = text("Hello,", "", line, "", "one", "two")
    expect(splitQuoted(body).visible).toBe(body)
  })
})

describe("header blocks and separators", () => {
  it.each(headerBlocks)("folds the history under a header block in %s", (_, [from, date, to, subject]) => {
    const block = [
      `${from}: Ann Example <ann@example.com>`,
      `${date}: 5.3.2024 09:12`,
      `${to}: Bob Example <bob@example.com>`,
      `${subject}: Tuesday`
    ]
    const split = splitQuoted(text(answer, "", ...block, "", history, "", "More of it."))
    expect(split.visible).toBe(answer)
    expect(split.quoted).toBe(text(...block, "", history, "", "More of it."))
  })

  it.each([
    "-----Original Message-----",
    "-------- Original Message --------",
    "---------- Forwarded message ---------",
    "-----Ursprüngliche Nachricht-----",
    "-------- Message d'origine --------",
    "-----Mensaje original-----",
    "-----Messaggio originale-----",
    "-----Mensagem original-----",
    "-----Oorspronkelijk bericht-----",
    "----- Wiadomość oryginalna -----",
    "-----Исходное сообщение-----",
    "------------------ 原始邮件 ------------------",
    "Begin forwarded message:",
    "Anfang der weitergeleiteten Nachricht:"
  ])("folds everything below %j and keeps the forwarder's text", (separator) => {
    const split = splitQuoted(text("Can you take this one?", "", separator, "", history))
    expect(split.visible).toBe("Can you take this one?")
    expect(split.quoted).toBe(text(separator, "", history))
  })
})
