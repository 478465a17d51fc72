/** The program of the search's thread. */
import { answerQuestions } from '../kernel/artifacts/search/thread.ts';

answerQuestions();
