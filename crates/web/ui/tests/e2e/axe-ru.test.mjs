// See axe.mjs.
import { everyRoom } from './axe.mjs';

everyRoom('ru');
