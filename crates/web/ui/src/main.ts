import { mount } from 'svelte';
import './theme.css';
import './elements.css';
import './classes.css';
import { fetchWords } from './lib/words.svelte.ts';
import App from './shell/App.svelte';

const page = document.getElementById('page');
// In the language of the reader from the first moment.
if (page) void fetchWords().finally(() => mount(App, { target: page }));
