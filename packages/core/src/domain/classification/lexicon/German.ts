import type { WordList } from "./Lexicon.ts"

/** German phrases, without accents: `ü` is `u` and `ß` is `ss`. The spelling with `ue` is listed where it is frequent. */
export const german: WordList = {
  unsubscribe:
    "abmelden, abbestell*, aus .. verteiler, aus .. liste, newsletter .. abmelden, keine weiteren mails, keine weiteren nachrichten, keine weiteren e, keine werbung mehr, keine mails mehr, keine nachrichten mehr, keine emails mehr, nicht mehr kontaktieren, nicht mehr anschreiben, nicht mehr anrufen, nicht mehr schreiben, keine sms mehr, streichen sie mich, loschen sie mich, loschen sie meine, schreiben sie mir nicht, rufen sie mich nicht",
  cancellation:
    "absag*, abzusagen, abgesagt, stornier*, kundige, kundigen, kundigung, zu kundigen, widerruf*, termin nicht wahrnehmen, nicht kommen kann, kann nicht kommen, kann leider nicht kommen, ausfallen lassen, vertrag beenden",
  complaint:
    "beschwer*, reklamier*, reklamation, enttauscht, unverschamt*, frechheit, unfreundlich, unzufrieden, geld zuruck, erstattung, ruckerstattung, inakzeptabel, nicht akzeptabel, unzumutbar, nie wieder, zumutung, skandal*, warte immer noch, warten immer noch, warte seit, warten seit, immer noch keine antwort, keine antwort bekommen, niemand meldet sich, meldet sich niemand, niemand gekommen, pfusch*, katastroph*, zerkratzt, schlamp*, schlechter service, sauerei, verargert, stinksauer, meinen anwalt",
  pricing:
    "preis, preise, preisliste, preislich, was kostet, was kosten, was wurde .. kosten, wie viel, wieviel, kosten, kostet, angebot*, kostenvoranschlag*, rabatt, honorar, gebuhr, gebuhren, stundensatz, kaufpreis*, monatliche rate, monatsrate, wie teuer, wie hoch ware, wie hoch ist",
  booking:
    "termin, termine, terminvorschlag, wunschtermin, besichtigungstermin, beratungstermin, besichtig*, besichtigung*, vereinbar*, vorbeikommen, vorbei kommen, vorbeischauen, buchen, reservier*, verschieb*, verleg*, umbuch*, ruckruf, zuruckrufen, rufen sie mich, rufen sie .. an, ruft mich, probe fahren, probefahr*, anschau*, ansehen, wann konnten wir, wann kann ich, haben sie einen freien",
  purchase: "kaufen, bestell*, interess*, beauftrag*, suchen eine, suche eine, suchen ein, suche ein, suche nach",
  support:
    "hilfe, helfen, problem, probleme, kaputt, defekt, funktioniert nicht, geht nicht, funktionieren nicht, fehler, storung, reparatur, repar*, garantie, gewahrleistung, rechnung, klappert, schaden, unfall, gekundigt, gestorben, verstorben, erbe, schmerzen, gestohlen, geklaut, verletzt, ins auto gefahren, undicht, nicht richtig",
  information:
    "information*, informier*, auskunft, naheres, offnungszeiten, bieten sie, haben sie, nehmen sie, machen sie, ist es moglich, frage zu, fragen zu, darf ich, noch verfugbar, noch zu haben, noch da, verkaufen, bewertung, zur miete, zu vermieten, umgezogen, adresse, zusenden, zuschicken, wissen ob, gibt es",
  emergency:
    "notfall, notdienst, rohrbruch, wasserrohrbruch, uberschwemm*, uberflut*, wasserschaden, wasser durch, tropft, wasser aus, wasser lauft, lauft wasser, uberall wasser, undicht*, dach .. undicht, heizung .. ausgefallen, heizung .. kaputt, heizung geht nicht, heizung funktioniert nicht, keine heizung, kein warmwasser, kein warmes wasser, kein strom, stromausfall, gasgeruch, riecht nach gas, riecht .. nach gas, gas gerochen, brandgeruch, funken, brennt, zahnschmerz*, starke schmerzen, unertraglich*, furchtbare schmerzen, schreckliche schmerzen, starke zahnschmerzen, zahn .. ausgeschlagen, zahn .. abgebrochen, zahn abgebrochen, geschwollen, schwellung, abszess, blutet, blutung, nachblutung, verhaftet, festgenommen, untersuchungshaft, vorladung, gerichtstermin, polizeiwache, liegen geblieben, liegengeblieben, springt nicht an, panne, abschlepp*, eingebrochen, einbruch",
  urgent:
    "dringend*, sofort, umgehend, schnellstmoglich*, so schnell wie moglich, so bald wie moglich, eilig, eilt, heute noch, noch heute, heute abend kommen, bis morgen, unverzuglich, schnellstens, kommen sie heute, gleich heute, heute kommen, auf der stelle",
  unhurried:
    "eilt nicht, keine eile, nicht eilig, nicht dringend, irgendwann, hat zeit, wenn sie zeit haben, nachstes jahr, nachsten monat, kein notfall, in aller ruhe, gelegentlich, bei gelegenheit, nicht so eilig",
  positive:
    "danke, dank, super, toll, perfekt, prima, zufrieden, begeistert, freue, freuen, klasse, wunderbar, empfehlen, hervorragend, herzlichen dank",
  negative:
    "enttauscht, verargert, wutend, sauer, unzufrieden, frechheit, unverschamt*, schlecht, schrecklich, furchtbar*, unfreundlich, inakzeptabel, beschwer*, katastroph*, nie wieder, pfusch*, skandal*, zumutung",
  negation: "nicht, kein, keine, keinen, keinem, keiner, keinerlei, nie, niemals, ohne, niemand, weder, noch nie",
  noNegation:
    "weiss nicht, wissen nicht, nicht sicher, nicht nur, warum nicht, nicht wahr, konnten sie nicht, verstehe nicht, keine ahnung, kein problem, funktioniert nicht, geht nicht",
  resolved:
    "ist weg, wieder weg, behoben, erledigt, wieder gut, geht wieder, funktioniert wieder, alles trocken, lauft wieder"
}
