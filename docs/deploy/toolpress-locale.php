<?php
/**
 * Plugin Name: Toolpress locale
 * Description: Answers toolpress in the language that its curation names.
 *
 * Put it into wp-content/mu-plugins. WordPress answers the REST API in the language of the site, whoever asks; with
 * this, toolpress gets the one that site.locale of curation.yaml names, where it is installed. Nobody else's requests
 * change.
 */

defined( 'ABSPATH' ) || exit;

/**
 * The language that a request of toolpress asks for.
 *
 * @return string Empty for any other request, and for a language that is not installed.
 */
function toolpress_locale() {
	static $asked = null;
	if ( null === $asked ) {
		$agent  = isset( $_SERVER['HTTP_USER_AGENT'] ) ? (string) $_SERVER['HTTP_USER_AGENT'] : '';
		$accept = isset( $_SERVER['HTTP_ACCEPT_LANGUAGE'] ) ? (string) $_SERVER['HTTP_ACCEPT_LANGUAGE'] : '';
		$locale = str_replace( '-', '_', $accept );
		$known  = array_merge( array( 'en_US' ), get_available_languages() );
		$asked  = 0 === strpos( $agent, 'toolpress/' ) && in_array( $locale, $known, true ) ? $locale : '';
	}
	return $asked;
}

add_filter(
	'pre_determine_locale',
	static function ( $locale ) {
		$asked = toolpress_locale();
		return '' === $asked ? $locale : $asked;
	}
);

// So that toolpress knows that it was heard.
add_filter(
	'rest_pre_serve_request',
	static function ( $served ) {
		$asked = toolpress_locale();
		if ( '' !== $asked && ! headers_sent() ) {
			header( 'Content-Language: ' . str_replace( '_', '-', $asked ) );
		}
		return $served;
	}
);
