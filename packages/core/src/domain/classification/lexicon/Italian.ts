import type { WordList } from "./Lexicon.ts"

/** Italian phrases, without accents. An elided article is a word of its own: `d'acqua` is `d acqua`. */
export const italian: WordList = {
  unsubscribe:
    "disiscri*, disiscrivermi, cancellatemi, cancellarmi dalla, cancellami dalla, rimuovetemi, toglietemi, non voglio piu ricevere, non desidero piu ricevere, non desidero ricevere, smettete di, non scrivetemi piu, non contattatemi, non chiamatemi, dalla vostra lista, dalla newsletter, dalla mailing list",
  cancellation:
    "annull*, disdir*, disdetta, disdico, recedere, recesso, rescindere, cancellare l, cancellare il, cancellare la, chiudere il contratto, non posso venire, non potro venire",
  complaint:
    "reclamo, reclami, lamentela, lamentarmi, deluso, delusa, delusi, delusissim*, inaccettabile*, vergogna, vergognoso, vergognosa, rimborso, rimborsi, soldi indietro, truffa, maleducat*, scortes*, nessuno risponde, nessuno si e presentato, nessuno e venuto, aspetto ancora, sto ancora aspettando, mai piu, pessimo, pessima, insoddisfatt*, arrabbiat*, indecente, incompetent*, senza risposta, lasciato tutto",
  pricing:
    "prezzo, prezzi, quanto costa, quanto costano, quanto costerebbe, quanto viene, quanto, costa, costo, costi, costerebbe, preventivo, preventivi, tariffa, tariffe, sconto, onorario, parcella, rata mensile, rate mensili",
  booking:
    "appuntamento, appuntamenti, prenotare, prenotazione, prenoto, fissare, disponibilita, visita, visitare, sopralluogo, passare a vedere, venire a vedere, vedere l appartamento, vedere la casa, spostare, rimandare, rinviare, altro giorno, richiamatemi, richiamarmi, mi richiami, prova su strada, giro di prova, provare la, consulenza",
  purchase:
    "comprare, acquistare, acquisto, ordinare, interessat*, mi interessa, cerco un, cerco una, cerchiamo un, cerchiamo una, ingaggiare",
  support:
    "aiuto, aiutarmi, aiutare, problema, problemi, rotto, rotta, guasto, guasta, non funziona, non funzionano, smesso di funzionare, errore, garanzia, fattura, riparare, riparazione, incidente, sinistro, rubato, rubata, furto, infortun*, ferito, ferita, licenziato, licenziata, morte, eredita, defunto, dolore, danni, danno, ammaccat*",
  information:
    "informazion*, dettagli, orari, offrite, avete, accettate, fate anche, fate valutazioni, e possibile, sarebbe possibile, vorrei sapere, domanda, opuscolo, ancora disponibile, ancora in vendita, in affitto, vendere, valutazione, valutazioni, trasferiti, nuovo indirizzo, potete inviarmi, potreste inviarmi",
  emergency:
    "emergenza, allagat*, allagando, allagamento, scoppiato, scoppiata, tubo rotto, tubo .. rotto, perdita d acqua, perdita di gas, perdita sotto, perdita dal, fuga di gas, odore di gas, puzza di gas, senza riscaldamento, senza acqua calda, senza corrente, manca il riscaldamento, acqua dappertutto, acqua ovunque, tetto .. perde, piove dentro, gocciola, scintille, odore di bruciato, mal di denti, mal di dente, dolore terribile, dolore forte, forte dolore, dolori forti, dolore insopportabile, insopportabile, gonfia, gonfio, gonfiore, sanguina, sanguinamento, sanguinare, dente rotto, rotto un dente, dente .. rotto, ascesso, arrestato, arrestata, fermato dalla polizia, in questura, in carcere, citazione in giudizio, udienza, in panne, carro attrezzi, carroattrezzi, non parte, non si accende, incendio",
  urgent:
    "urgente, urgentemente, urgenza, subito, il prima possibile, al piu presto, prima possibile, immediatamente, oggi stesso, adesso, con urgenza, venire oggi, entro oggi, quanto prima",
  unhurried:
    "non e urgente, senza fretta, nessuna fretta, non c e fretta, non ho fretta, con calma, quando potete, quando avete tempo, prossimo anno, anno prossimo, mese prossimo, prossimo mese, nessuna urgenza",
  positive:
    "grazie, perfetto, ottimo, ottima, eccellente, fantastico, felice, contento, contenta, soddisfatt*, consiglio vivamente, benissimo, complimenti",
  negative:
    "deluso, delusa, delusi, arrabbiat*, terribile, orribile, pessimo, pessima, inaccettabile*, vergogna, maleducat*, scortes*, truffa, insoddisfatt*, reclamo, furios*",
  negation: "non, nessun, nessuna, nessuno, senza, ne, neanche, nemmeno, mai",
  noNegation:
    "non so, non solo, perche non, non capisco, non sono sicur*, non funziona, non parte, non vedo l ora, nessun problema, non si accende, non riusciamo, senza preavviso, senza risposta",
  resolved:
    "e passato, e passata, non perde piu, e stato riparato, e stata riparata, risolto, funziona di nuovo, tutto a posto, va benissimo"
}
