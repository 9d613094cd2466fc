import { mount } from 'svelte';
import './theme.css';
import './elements.css';
import './classes.css';
import App from './shell/App.svelte';

const page = document.getElementById('page');
if (page) mount(App, { target: page });
