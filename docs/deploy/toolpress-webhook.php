<?php
/**
 * Plugin Name: Toolpress webhook
 * Description: Tells toolpress at once when what this site can do may have changed.
 *
 * Put it into wp-content/mu-plugins, and say where toolpress is and what signs, in wp-config.php:
 *
 *     define( 'TOOLPRESS_WEBHOOK_URL', 'http://127.0.0.1:8080/webhook' );
 *     define( 'TOOLPRESS_WEBHOOK_SECRET', '…' );   // as in the variable that site.webhook of curation.yaml names
 *
 * or in environment variables of these names, or in the options toolpress_webhook_url and toolpress_webhook_secret.
 * Without both it does nothing. A plugin that changes its abilities or routes by itself says so with
 * do_action( 'toolpress_changed' ).
 *
 * What is sent is a hint: toolpress takes nothing from it and reads the site itself. One request of WordPress sends
 * one at most, at its end, when what changed is stored, and waits for no answer; where toolpress is away, its next
 * poll finds the change.
 */

defined( 'ABSPATH' ) || exit;

/**
 * A setting: the constant, else the environment's, else the option.
 *
 * @param string $name Its name, as the constant has it.
 * @return string Empty without one.
 */
function toolpress_webhook_setting( $name ) {
	if ( defined( $name ) ) {
		return (string) constant( $name );
	}
	$value = getenv( $name );
	return false !== $value && '' !== $value ? $value : (string) get_option( strtolower( $name ), '' );
}

/**
 * Sends the hint when this request ends.
 */
function toolpress_webhook_later() {
	if ( ! has_action( 'shutdown', 'toolpress_webhook_send' ) ) {
		add_action( 'shutdown', 'toolpress_webhook_send' );
	}
}

/**
 * Sends the hint: the time and the body are signed, so that a recorded one is soon worth nothing.
 */
function toolpress_webhook_send() {
	$url    = toolpress_webhook_setting( 'TOOLPRESS_WEBHOOK_URL' );
	$secret = toolpress_webhook_setting( 'TOOLPRESS_WEBHOOK_SECRET' );
	if ( '' === $url || '' === $secret ) {
		return;
	}
	$time = (string) time();
	$body = (string) wp_json_encode( array( 'id' => wp_generate_uuid4() ) ); // no two are the same
	wp_remote_post(
		$url,
		array(
			'blocking'    => false,
			'timeout'     => 1,
			'redirection' => 0,
			'headers'     => array(
				'Content-Type'        => 'application/json',
				'Toolpress-Signature' => 't=' . $time . ',v1=' . hash_hmac( 'sha256', $time . '.' . $body, $secret ),
			),
			'body'        => $body,
		)
	);
}

foreach ( array(
	'activated_plugin',
	'deactivated_plugin',
	'deleted_plugin',
	'update_option_active_plugins', // Also where it is done silently.
	'update_site_option_active_sitewide_plugins',
	'upgrader_process_complete', // Of WordPress, a plugin, a theme or a translation.
	'switch_theme',
	'set_user_role',
	'add_user_role',
	'remove_user_role',
	'update_option_' . $GLOBALS['wpdb']->prefix . 'user_roles', // What a role may do.
	'update_option_permalink_structure', // The address of the REST API.
	'update_option_WPLANG', // The language of its texts.
	'toolpress_changed',
) as $toolpress_event ) {
	add_action( $toolpress_event, 'toolpress_webhook_later', 10, 0 );
}
unset( $toolpress_event );
